// How `resource` may be spelled (decisions O3, O27; RFC 3986 6.2).
import { assert, describe, it } from "@effect/vitest"
import { isResource } from "../../../src/domain/oauth/resource.ts"

const https = { baseUrl: "https://records.example", mcpUrl: "https://mcp.example:8443" }
const local = { baseUrl: "http://127.0.0.1:8080", mcpUrl: "http://127.0.0.1:8080" }

describe("O27: resource", () => {
  it("is compared without case of scheme and host, default port, and a slash at the end", () => {
    for (const text of [
      "https://records.example/v1",
      "HTTPS://Records.EXAMPLE/v1",
      "https://records.example:443/v1",
      "https://records.example/v1/",
      "https://mcp.example:8443/mcp",
      "Https://MCP.example:8443/mcp/"
    ])
      assert.isTrue(isResource(text, https), text)
    assert.isTrue(isResource("HTTP://127.0.0.1:8080/mcp", local))
  })

  it("is another one with a query, a fragment, another path, port or spelling of the path", () => {
    for (const text of [
      "https://records.example/v1?x=1",
      "https://records.example/v1?",
      "https://records.example/v1#x",
      "https://records.example/v1#",
      "https://records.example/V1",
      "https://records.example/v1//",
      "https://records.example/v1/x",
      "https://records.example/",
      "https://records.example",
      "https://records.example:8443/v1",
      "https://records.example./v1",
      "http://records.example/v1",
      "https://records.example/x/../v1",
      "https://records.example/%76%31",
      "https://records.example\\v1",
      "https:records.example/v1",
      "https://user@records.example/v1",
      "https://records.example/v1 ",
      " https://records.example/v1",
      "https://mcp.example/mcp",
      "https://mcp.example:8443/v1",
      "",
      "v1"
    ])
      assert.isFalse(isResource(text, https), text)
    assert.isFalse(isResource("http://localhost:8080/mcp", local))
  })
})
