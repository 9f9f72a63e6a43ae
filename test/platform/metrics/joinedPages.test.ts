// One page for the processes that share a port (docs/operations.md, "Every core").
import { assert, describe, it } from "@effect/vitest"
import { joinedPages } from "../../../src/platform/metrics/joinedPages.ts"

const page = (requests: number, end = "") => `# HELP http_requests_total Requests.
# TYPE http_requests_total counter
http_requests_total{method="GET"} ${requests} # {trace_id="a",span_id="b"} 0.1 1.000
# HELP up Whether it is there.
# TYPE up gauge
up 1
${end}`

describe("pages of several processes", () => {
  it("are one, each family once, each value with its process", () => {
    assert.strictEqual(
      joinedPages([
        { process: 1, text: page(3) },
        { process: 2, text: `${page(4)}# HELP own Of the second alone.\n# TYPE own gauge\nown{a="x {y} z"} 2\n` }
      ]),
      `# HELP http_requests_total Requests.
# TYPE http_requests_total counter
http_requests_total{process="1",method="GET"} 3 # {trace_id="a",span_id="b"} 0.1 1.000
http_requests_total{process="2",method="GET"} 4 # {trace_id="a",span_id="b"} 0.1 1.000
# HELP up Whether it is there.
# TYPE up gauge
up{process="1"} 1
up{process="2"} 1
# HELP own Of the second alone.
# TYPE own gauge
own{process="2",a="x {y} z"} 2
`
    )
  })

  it("end once, where they have an end", () => {
    const joined = joinedPages([
      { process: 1, text: page(1, "# EOF\n") },
      { process: 2, text: page(2, "# EOF\n") }
    ])
    assert.isTrue(joined.endsWith('up{process="2"} 1\n# EOF\n'))
    assert.lengthOf(joined.split("# EOF"), 2)
  })
})
