// Describes the addresses in `link` and `download_url` for OpenAPI: the route is no endpoint of the Developer API, since it takes no
// credential.
const text = (description: string) => ({ schema: { type: "string" }, description })
const inPlace = (place: string, name: string, description: string, schema: object = { type: "string" }) => ({
  name,
  in: place,
  required: place !== "header",
  schema,
  description
})

const validators = {
  ETag: text("Strong; a file's content never changes"),
  "Accept-Ranges": text("`bytes`")
}
const content = {
  headers: { ...validators, "Content-Disposition": text("`attachment` with the file's name") },
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } }
}
const describeRefusal = (description: string, headers: object = {}) => ({
  description,
  headers,
  content: { "application/json": { schema: { $ref: "#/components/schemas/DevApiError" } } }
})

export const contentPaths = {
  "/file/{file_id}": {
    get: {
      tags: ["Files"],
      operationId: "files.content",
      summary: "Download a file",
      description:
        "The address in `link` and `download_url`, as it was given: signed, for an hour, without a credential. One range of bytes at a time; several are answered with the whole file. Contents are sent as they were stored, never compressed.",
      security: [],
      parameters: [
        inPlace("path", "file_id", "Id of the file", { type: "integer" }),
        inPlace("query", "expires", "From the address", { type: "integer" }),
        inPlace("query", "signature", "From the address"),
        inPlace("header", "Range", "`bytes=0-499`, `bytes=500-`, or `bytes=-500` for the last 500 bytes"),
        inPlace("header", "If-Range", "The ETag: the range if it is still this file, else the whole"),
        inPlace("header", "If-None-Match", "The ETag of what you have: 304 if it is still this file"),
        inPlace("header", "If-Match", "The ETag: 412 if it is another file")
      ],
      responses: {
        200: { description: "The whole file", ...content },
        206: {
          description: "The part that `Range` asked for",
          ...content,
          headers: { ...content.headers, "Content-Range": text("`bytes 0-499/1234`: first, last, size of the file") }
        },
        304: { description: "What you have is still the file", headers: validators },
        404: describeRefusal("Unknown, altered or expired"),
        412: describeRefusal("`If-Match` names another file", validators),
        416: describeRefusal("The range begins behind the file's end", {
          ...validators,
          "Content-Range": text("`bytes */1234`: the size of the file")
        })
      }
    }
  }
}
