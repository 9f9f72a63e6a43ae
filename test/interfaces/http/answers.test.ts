// decisions P6: answers of one turn leave at its end, byte for byte what they are, and none is lost to what follows it on its connection.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { AnswerTogether } from "../../../src/interfaces/http/answers.ts"
import { refuseUnparsed } from "../../../src/interfaces/http/invalidHttp.ts"

const served = async <A>(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  use: (port: number) => Promise<A>
): Promise<A> => {
  const server = createServer({ ServerResponse: AnswerTogether }, answer).on("clientError", refuseUnparsed)
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  try {
    return await use((server.address() as AddressInfo).port)
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const bodies: Record<string, Uint8Array> = {
  "every byte": everyByte,
  nothing: new Uint8Array(),
  "a part of something larger": everyByte.subarray(128, 200),
  "more than goes with the headers": Uint8Array.from({ length: 100_000 }, (_, i) => i % 251),
  "letters beyond ASCII": new TextEncoder().encode("Prüfung — 検証 🚢")
}

describe("answers", () => {
  for (const [what, body] of Object.entries(bodies)) {
    it(`hold ${what}`, async () => {
      const got = await served(
        (_, response) => response.writeHead(200, { "content-length": body.byteLength, "x-more": "é" }).end(body),
        async (port) => {
          const response = await fetch(`http://127.0.0.1:${port}/`)
          assert.strictEqual(response.headers.get("content-length"), String(body.byteLength))
          return new Uint8Array(await response.arrayBuffer())
        }
      )
      assert.deepStrictEqual(got, body)
    })
  }

  it("follow what was written before them", async () => {
    const got = await served(
      (_, response) => {
        response.write("one, ")
        response.end(new TextEncoder().encode("two"))
      },
      async (port) => (await fetch(`http://127.0.0.1:${port}/`)).text()
    )
    assert.strictEqual(got, "one, two")
  })

  it("leave when all that is ready in the turn is", async () => {
    const endStates: Array<boolean> = []
    let responses: Array<ServerResponse> = []
    await served(
      (_, response) => {
        responses.push(response)
        if (responses.length < 3) return
        for (const heldResponse of responses) {
          heldResponse.end("done")
          endStates.push(heldResponse.writableEnded)
        }
        responses = []
      },
      async (port) => {
        const texts = await Promise.all(
          Array.from({ length: 3 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).text())
        )
        assert.deepStrictEqual(texts, ["done", "done", "done"])
      }
    )
    assert.deepStrictEqual(endStates, [false, false, false])
  })

  it("are sent before what follows them on their connection is refused", async () => {
    const got = await served(
      (_, response) => response.writeHead(200, { "content-length": 2 }).end("ok"),
      (port) => {
        const socket = connect(port, "127.0.0.1")
        socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\nthis is no request\r\n\r\n")
        return text(socket)
      }
    )
    assert.match(got, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok/)
  })

  it("are nobody's who has left before they do, and one that is not as long as it said ends its connection alone", async () => {
    const warnings: Array<string> = []
    const warned = ({ message }: Error) => void warnings.push(message)
    process.on("warning", warned)
    const got = await served(
      (request, response) => {
        response.strictContentLength = true
        response.writeHead(200, { "content-length": request.url === "/short" ? 3 : 2 })
        const end = () => response.end(new TextEncoder().encode("ok"))
        if (request.url !== "/left") return end()
        // It is ready after the turn's answers have left, and before the connection is known to be closed.
        request.socket.destroy()
        return setImmediate(end)
      },
      async (port) => {
        const texts: Array<string> = []
        for (const path of ["/left", "/short", "/"])
          texts.push(
            await fetch(`http://127.0.0.1:${port}${path}`).then(
              (response) => response.text(),
              () => "no answer"
            )
          )
        return texts
      }
    )
    process.off("warning", warned)
    assert.deepStrictEqual(got, ["no answer", "no answer", "ok"])
    assert.match(warnings.join(), /^[^,]*content-length of 3 byte/)
  })
})
