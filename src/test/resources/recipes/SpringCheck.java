import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Prints which requests SpringGuard passes. */
public final class SpringCheck {

  @RestController
  static class Products {

    @GetMapping("/products/{productId}")
    String show(@PathVariable("productId") String id) {
      return id;
    }

    @GetMapping("/other")
    String other() {
      return "other";
    }
  }

  public static void main(String[] arguments) throws Exception {
    var mvc =
        MockMvcBuilders.standaloneSetup(new Products()).addInterceptors(new SpringGuard()).build();
    for (var path : new String[] {"/products/known", "/products/unknown", "/other"}) {
      var answer = mvc.perform(MockMvcRequestBuilders.get(path)).andReturn().getResponse();
      System.out.println(path + " " + answer.getStatus() + " " + answer.getContentAsString());
    }
  }
}
