package io.github.bloomgate.rebuild.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published examples of signatures by version 4. */
class AwsSignatureTest {

  /** Of the test suite of AWS. */
  private static final AwsSignature SUITE =
      new AwsSignature(
          "service", "us-east-1", "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

  /** Of the reference of Amazon S3. */
  private static final AwsSignature S3 =
      new AwsSignature(
          "s3", "us-east-1", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");

  @ParameterizedTest
  @CsvSource({
    "get-vanilla, /, 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    "get-vanilla-no-slash, '', 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    "get-vanilla-query, /?, 5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    "get-vanilla-query-order-key-case, /?Param2=value2&Param1=value1,"
        + " b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
    "get-vanilla-empty-query-key, /?Param1=value1,"
        + " a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
    "get-vanilla-query-unreserved,"
        + " /?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        + "=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz,"
        + " 9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
    "get-vanilla-utf8-query, /?%E1%88%B4=bar,"
        + " 2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
    "get-utf8, /%e1%88%b4, 8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
    "get-unreserved,"
        + " /-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz,"
        + " 07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
  })
  void requestsOfTheTestSuiteAreSigned(String name, String pathAndQuery, String signature) {
    var url = AwsSignature.canonical(URI.create("https://example.amazonaws.com" + pathAndQuery));
    assertEquals(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature="
            + signature,
        SUITE.authorization(
            url,
            new TreeMap<>(
                Map.of("host", "example.amazonaws.com", "x-amz-date", "20150830T123600Z"))),
        name);
  }

  @ParameterizedTest
  @CsvSource({
    "/test.txt, bytes=0-9, f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    "?lifecycle, , fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    "?max-keys=2&prefix=J, , 34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  })
  void requestsOfTheReferenceOfS3AreSigned(String pathAndQuery, String range, String signature) {
    var host = "examplebucket.s3.amazonaws.com";
    var headers = new TreeMap<String, String>();
    headers.put("host", host);
    headers.put("x-amz-content-sha256", AwsSignature.EMPTY_BODY);
    headers.put(AwsSignature.DATE, AwsSignature.time(Instant.parse("2013-05-24T00:00:00Z")));
    if (range != null) {
      headers.put("range", range);
    }
    assertEquals(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=%s, Signature=%s"
            .formatted(String.join(";", headers.keySet()), signature),
        S3.authorization(
            AwsSignature.canonical(URI.create("https://" + host + pathAndQuery)), headers));
  }

  @Test
  void urlsAreSentAsTheyAreSigned() {
    assertEquals("https://a.example/", canonical("HTTPS://A.example:443"));
    assertEquals(
        "http://a.example:8080/b/c%2Bd%20%40%2A~%24e%25.txt?a=1%2B%3D2&a=2&a-b=&b=%2F",
        canonical("http://a.example:8080/b/c+d%20@*~%24e%25.txt?b=/&a-b&&a=2&a=1+=2"));
  }

  private static String canonical(String url) {
    return AwsSignature.canonical(URI.create(url)).toString();
  }
}
