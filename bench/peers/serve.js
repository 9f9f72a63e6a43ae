// Serves a peer's works to the harness: `?work=NAME&count=N&pause=MILLISECONDS`, answered with the work's JSON when it is done.
import { createServer } from "node:http"

export const serve = (works) =>
  createServer(async (request, response) => {
    try {
      const { searchParams } = new URL(request.url, "http://peer")
      const work = works[searchParams.get("work") ?? ""]
      response.end(
        JSON.stringify(
          work === undefined ? {} : await work(Number(searchParams.get("count")), Number(searchParams.get("pause")))
        )
      )
    } catch (error) {
      response.statusCode = 500
      response.end(String(error.stack))
    }
  }).listen(Number(process.env.PORT), "127.0.0.1")
