// The peer of the meta row: Fastify answers bytes from memory that it was given in a file, with an ETag.
import { readFileSync } from "node:fs"
import Fastify from "fastify"

const pages = JSON.parse(readFileSync(process.env.PAGES, "utf8"))
const app = Fastify()
app.get("/", async () => "up")
for (const [path, text] of Object.entries(pages)) {
  const body = Buffer.from(text)
  app.get(path, async (_, reply) =>
    reply
      .headers({ "content-type": "application/json", etag: '"1"', "cache-control": "public, max-age=3600" })
      .send(body)
  )
}
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })
