import { histograms, readMetrics } from "../../../web/js/system/metrics-text.js";
import { equal, test } from "./check.js";

const text = `# HELP requests Requests \\\\ answered.
# TYPE requests counter
requests{route="a \\"b\\" \\\\ }",status="200"} 3
requests 4
# HELP took Time.
# TYPE took histogram
took_bucket{route="x",le="0.1"} 5
took_bucket{route="x",le="1"} 9
took_bucket{route="x",le="+Inf"} 10
took_sum{route="x"} 4
took_count{route="x"} 10
took_bucket{route="y",le="+Inf"} 0
took_sum{route="y"} 0
took_count{route="y"} 0
plain_count 7
`;

test("values are read with their labels", () => {
  const [requests, , plain] = readMetrics(text);
  equal(requests.help, "Requests \\ answered.");
  equal(requests.type, "counter");
  equal(requests.samples[0], { suffix: "", labels: [["route", 'a "b" \\ }'], ["status", "200"]], value: 3 });
  equal(requests.samples[1].labels, []);
  equal(plain.name, "plain_count");
});

test("a histogram has a number, a mean and quantiles", () => {
  const [x, y] = histograms(readMetrics(text)[1]);
  equal([x.count, x.mean, x.quantiles[0], x.quantiles[1] === Infinity], [10, 0.4, 0.1, true]);
  equal([y.count, y.mean, y.quantiles], [0, null, [null, null, null]]);
});

test("a text that is no metric is left out", () => {
  equal(readMetrics("nonsense\n\n# comment\n<html>"), []);
});
