package io.github.bloomgate.ceiling;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.List;

/** Answers without looking anything up. */
@Path("/")
@NonBlocking
public class CeilingResource {

  /** Elements in the format of the service. */
  public record Elements(List<String> elements) {}

  /** A response as long as the service's. */
  public record Answers(boolean[] mightContain, int mightContainCount) {}

  @GET
  @Path("/constant")
  public String constant() {
    return "constant";
  }

  /** Decodes the strings, and answers with a boolean for each. */
  @POST
  @Path("/json")
  public Answers json(Elements body) {
    var answers = new boolean[body.elements().size()];
    for (var i = 0; i < answers.length; i += 2) {
      answers[i] = true;
    }
    return new Answers(answers, (answers.length + 1) / 2);
  }
}
