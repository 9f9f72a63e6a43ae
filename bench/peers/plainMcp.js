// A plain MCP server on the SDK, as its guide for servers without sessions has it: a server with its tool and a transport for each request,
// which answers in JSON.
import { fromJsonSchema, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"

const inputSchema = fromJsonSchema({
  type: "object",
  properties: { record_id: { type: "integer", minimum: 1 } },
  required: ["record_id"]
})

const serverOf = (readRecord) => {
  const server = new McpServer({ name: "plain", version: "1.0.0" })
  server.registerTool("read_record", { description: "Reads a record.", inputSchema }, async ({ record_id }) => {
    const record = await readRecord(record_id)
    if (record === undefined) return { isError: true, content: [{ type: "text", text: "There is no such record." }] }
    return { structuredContent: record, content: [{ type: "text", text: JSON.stringify(record) }] }
  })
  return server
}

/** Carries out the message of a Fastify request. @param readRecord the record of an id, for the caller */
export const answerTool = async ({ body, headers }, readRecord) => {
  const server = serverOf(readRecord)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const request = new Request("http://plain/mcp", { method: "POST", headers })
  const answer = await transport.handleRequest(request, { parsedBody: body })
  const text = await answer.text()
  await server.close()
  return { status: answer.status, body: text }
}
