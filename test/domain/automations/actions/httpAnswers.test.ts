// What a step finds of an answer (developer-api.md 7.6 http_call runtime, 8.2 `http`), against a real server: packed bodies, charsets, byte
// order marks, names of files, several cookies, and the body of an answer for which the step failed.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { receiver as startReceiver } from "../../../support/receiver.ts"
import { spineLayer } from "../../../support/spine.ts"
import { completed, compute, custom, order, runSteps, seedWorld } from "./support.ts"

class Outside extends Context.Service<Outside, Effect.Success<ReturnType<typeof startReceiver>>>()("test/Outside") {}

const world = Layer.unwrap(
  Effect.map(startReceiver(), (receiver) =>
    spineLayer({ OUTBOUND_ALLOW: receiver.hostPort }).pipe(Layer.merge(Layer.succeed(Outside, receiver)))
  )
)

const any = (label: string) => ({ custom_type: "any", label })

/** The receiver answers so at a path of its own; its address. */
const serve = Effect.fnUntraced(function* (
  path: string,
  headers: Record<string, string | Array<string>>,
  body: string | Uint8Array,
  status = 200
) {
  const receiver = yield* Outside
  receiver.on(path, (_request, response) => response.writeHead(status, headers).end(body))
  return receiver.origin + path
})

const get = (url: string, more: object = {}, defs: ReadonlyArray<object> = [any("answer")]) => ({
  type: "http_call",
  ...more,
  config: { http_call_type: "get", http_call_url: [url], custom_variable_defs: defs }
})
const script = (code: string) => ({
  type: "custom_code",
  config: { code: [code], custom_variable_defs: [any("told")] }
})

layer(world, { excludeTestServices: true })("answers of other servers", (it) => {
  it.effect("are unpacked, decoded and parsed alike by http_call and by a script's http", () =>
    Effect.gen(function* () {
      const w = yield* seedWorld
      const id = yield* order(w)
      const json = { "content-type": "application/json" }
      const packed = [
        ["gzip", gzipSync],
        ["deflate", deflateSync],
        ["br", brotliCompressSync],
        ["zstd", zstdCompressSync]
      ] as const
      const urls: Array<string> = []
      const expected: Array<unknown> = []
      for (const [coding, pack] of packed) {
        urls.push(yield* serve(`/${coding}`, { ...json, "content-encoding": coding }, pack(`{"stock":12}`)))
        expected.push({ stock: 12 })
      }
      const latin = Buffer.from("Müller", "latin1")
      urls.push(yield* serve("/latin", { "content-type": "text/csv; charset=ISO-8859-1" }, latin))
      urls.push(yield* serve("/mark", json, `\ufeff{"stock":13}`))
      urls.push(yield* serve("/text-json", { "content-type": "text/json; charset=utf-8" }, `{"stock":14}`))
      urls.push(yield* serve("/problem", { "content-type": "application/hal+json" }, `{"stock":15}`))
      expected.push("Müller", { stock: 13 }, { stock: 14 }, { stock: 15 })
      const requestRun = yield* runSteps(
        w,
        id,
        urls.map((url, n) => get(url, {}, [any(`a${n}`)]))
      )
      completed(requestRun)
      assert.deepStrictEqual(
        urls.map((_, n) => requestRun.variables[`a${n}`].data),
        expected
      )
      const scriptRun = yield* runSteps(w, id, [
        script(`return await Promise.all(${JSON.stringify(urls)}.map(async (url) => (await http.get(url)).data))`)
      ])
      completed(scriptRun)
      assert.deepStrictEqual(scriptRun.variables["told"], expected)
    })
  )

  it.effect("that are larger when unpacked, or not what they say, fail with the reason", () =>
    Effect.gen(function* () {
      const w = yield* seedWorld
      const id = yield* order(w)
      const bomb = yield* serve("/bomb", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(6 * 1024 * 1024)))
      const broken = yield* serve("/broken", { "content-encoding": "gzip" }, "plain")
      const odd = yield* serve(
        "/odd",
        { "content-type": "text/plain", "content-encoding": "aws-chunked" },
        "as it came"
      )
      assert.match((yield* runSteps(w, id, [get(bomb)])).error_message!, /too_large.*longer than 5242880 bytes/)
      assert.match((yield* runSteps(w, id, [get(broken)])).error_message!, /protocol_error.*cannot be unpacked/)
      const kept = yield* runSteps(w, id, [get(odd)])
      assert.strictEqual(kept.variables["answer"].data, "as it came")
      const inScript = yield* runSteps(w, id, [script(`return await http.get("${bomb}")`)])
      assert.match(inScript.error_message!, /too_large/)
    })
  )

  it.effect("name their file in any spelling, and keep several cookies apart", () =>
    Effect.gen(function* () {
      const w = yield* seedWorld
      const id = yield* order(w)
      const cookies = ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2; Path=/"]
      const url = yield* serve(
        "/file",
        {
          "content-type": "text/csv",
          "content-encoding": "gzip",
          "content-disposition": `attachment; filename="K_se.csv"; filename*=UTF-8''K%C3%A4se.csv`,
          "set-cookie": cookies
        },
        gzipSync("a,b")
      )
      const cookieUrl = yield* serve("/one", { "set-cookie": cookies[0]! }, "x")
      const run = yield* runSteps(w, id, [
        get(url, {}, [any("answer"), { custom_type: "single_file", label: "file" }]),
        get(cookieUrl, {}, [any("one")]),
        compute("name", "var_file_filename + ' ' + var_file_size"),
        script(`const { headers } = await http.get("${url}"); return headers["set-cookie"]`)
      ])
      completed(run)
      assert.strictEqual(run.variables["name"], "Käse.csv 3")
      assert.deepStrictEqual(run.variables["answer"].headers["set-cookie"], cookies)
      assert.strictEqual(run.variables["one"].headers["set-cookie"], cookies[0])
      assert.deepStrictEqual(run.variables["told"], cookies)
    })
  )

  it.effect(
    "for which the step fails are in its variable where the run goes on; anything else of it is null (A16)",
    () =>
      Effect.gen(function* () {
        const w = yield* seedWorld
        const id = yield* order(w)
        const problem = { "content-type": "application/problem+json" }
        const url = yield* serve("/problem-422", problem, `{"title":"Out of stock","sku":"B-7"}`, 422)
        const defs = [any("answer"), { custom_type: "single_file", label: "file" }]
        const on = { continue_on_error: true }
        const answerAndFile = compute("seen", "[", custom("answer"), ", var_file_filename]")
        const run = yield* runSteps(w, id, [get(url, on, defs), answerAndFile])
        completed(run)
        assert.strictEqual(run.steps[0].status, "failure")
        const [answer, file] = run.variables["seen"]
        assert.deepStrictEqual([answer.status, answer.data], [422, { title: "Out of stock", sku: "B-7" }])
        assert.strictEqual(answer.headers["content-type"], "application/problem+json")
        assert.isNull(file)
        // Tried again: the last answer counts.
        const retry = { attempts: 2, first_ms: 100, factor: 1, at_most_ms: 100, on_status: [422] }
        const retriedRun = yield* runSteps(w, id, [get(url, { ...on, retry }, defs), answerAndFile])
        completed(retriedRun)
        assert.strictEqual(retriedRun.variables["seen"][0].data.sku, "B-7")
        // No answer at all leaves nothing.
        const failedRun = yield* runSteps(w, id, [get("http://127.0.0.1:1/", on, defs), answerAndFile])
        assert.deepStrictEqual(failedRun.variables["seen"], [null, null])
        const pinned = yield* runSteps(w, id, [get(url, on)], { simulate: true })
        const answers = {
          [pinned.actions[0].id]: { status: 409, headers: { "set-cookie": ["a", "b"] }, data: "taken" }
        }
        const simulated = yield* runSteps(
          w,
          id,
          [{ ...get(url, on), id: pinned.actions[0].id }, compute("seen", custom("answer"))],
          {
            simulate: true,
            body: { record_id: id, pinned: answers }
          }
        )
        assert.strictEqual(simulated.variables["seen"].data, "taken")
        const caught = yield* runSteps(w, id, [
          script(`try { await http.get("${url}") } catch (error) { return [error.status, error.response.data.sku] }`)
        ])
        assert.deepStrictEqual(caught.variables["told"], [422, "B-7"])
      })
  )
})
