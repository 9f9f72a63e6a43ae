// Calls that a script has begun and nobody awaits (decisions A28): the step ends with them, and what fails unobserved fails it.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { droppedCalls } from "../../../src/platform/sandbox/droppedCalls.ts"
import type { ApiRequest } from "../../../src/platform/sandbox/Sandbox.ts"
import { block, outside, SandboxTest } from "./support.ts"

/** Answers each call after it has given way; a path that holds `bad` is not found. */
const slow = () => {
  const host = outside()
  const api = (request: ApiRequest) =>
    request.path.includes("bad")
      ? Effect.andThen(
          Effect.yieldNow,
          Effect.succeed({ status: 404, headers: {}, data: { error_message: `No ${request.path}` } })
        )
      : Effect.andThen(Effect.yieldNow, host.api(request))
  return { ...host, api }
}

layer(SandboxTest, { excludeTestServices: true })("calls that nobody awaits (A28)", (it) => {
  const unawaitedCalls = [
    ["in forEach", "[1, 2, 3].forEach(async (n) => { await api.App.get(n); await api.App.get(n) })", 6],
    ["alone", "api.App.get(1)", 1],
    ["one after another", "api.App.get(1).then(() => api.App.get(2)).then(() => api.App.get(3))", 3],
    [
      "in a function of the script",
      "const save = async (n) => { await null; await api.App.get(n) }; save(1); save(2)",
      2
    ],
    ["after a sleep, which is cut short", "(async () => { await sleep(9000); await api.App.get(1) })()", 1],
    [
      "behind the one that won",
      "await Promise.race([api.App.get(1), (async () => { await api.App.get(2); await api.App.get(3) })()])",
      3
    ]
  ] as const
  for (const [where, source, calls] of unawaitedCalls)
    it.effect(`the step ends when calls ${where} have ended`, () =>
      Effect.gen(function* () {
        const host = slow()
        const { value } = yield* block(`${source}; return "over"`, host)
        assert.strictEqual(value, "over")
        assert.lengthOf(host.seen.api, calls)
      })
    )

  it.effect("so it does where the script throws, and variables hold what came of them", () =>
    Effect.gen(function* () {
      const host = slow()
      const error = yield* Effect.flip(block("api.App.get(1).then(() => api.App.get(2)); throw new Error('top')", host))
      assert.strictEqual(error.message, "Error: top")
      assert.lengthOf(host.seen.api, 2)
      const source = "var_n = 0; [1, 2].forEach(async (n) => { await api.App.get(n); var_n += n })"
      const { vars } = yield* block(source, { ...slow(), bindings: { var_n: null }, collect: ["var_n"] })
      assert.deepStrictEqual(vars, { var_n: 3 })
    })
  )

  it.effect("loops that never end are not waited for beyond their sleeps", () =>
    Effect.map(block("(async () => { for (;;) await sleep(100) })(); return 5"), ({ value }) =>
      assert.strictEqual(value, 5)
    )
  )

  const lost = [
    ["api.App.get('bad')", /^Error: No \/app\/bad \(nobody awaited it\)$/],
    ["[1, 2].forEach(async (n) => { await api.App.get('bad' + n) })", /No \/app\/bad1/],
    [
      "const save = async () => { await sleep(1); await api.App.get('bad') }; save(); await api.App.get('bad').catch(() => {})",
      /bad/
    ],
    ["api.App.get(1).then(() => { throw 'text' })", /^text/],
    ["[1].forEach(async () => { throw new Error('mine') }); await sleep(1)", /^Error: mine/],
    ["Promise.reject(new Error('unhandled'))", /unhandled/]
  ] as const
  for (const [source, message] of lost)
    it.effect(`what fails unobserved fails the step: ${source}`, () =>
      Effect.map(Effect.flip(block(`${source}; return 1`, slow())), (error) => assert.match(error.message, message))
    )

  const observed = [
    ["ids.map((n) => api.App.get(n))", "one after another"],
    ["ids.map(async (n) => { const { data } = await api.App.get(n); return data })", "one after another, by functions"]
  ] as const
  for (const [calls, how] of observed)
    it.effect(`what is looked at later is observed: calls begun at once and awaited ${how}`, () =>
      Effect.gen(function* () {
        const source = `const ids = ['bad1', 'fine', 'bad2']; const all = ${calls}; let failed = 0
          for (const one of all) { await api.App.get(0); try { await one } catch { failed++ } }
          return failed`
        assert.strictEqual((yield* block(source, slow())).value, 2)
      })
    )

  it.effect("promises stay what they are", () =>
    Effect.gen(function* () {
      const source = `class Own extends Promise {}; const own = new Own((resolve) => resolve(1))
        return [await own, own.constructor === Own, Promise.resolve(1).constructor === Promise, own instanceof Promise,
          (await Promise.allSettled([Promise.reject(1), 2])).map((x) => x.status)]`
      assert.deepStrictEqual((yield* block(source)).value, [1, true, true, true, ["rejected", "fulfilled"]])
    })
  )

  describe("what the text tells beforehand", () => {
    const callsInText = [
      ["ids.forEach(async (id) => { await api.Record.get(id) })", ["forEach 1"]],
      [
        "ids.forEach((id) => api.Record.delete(id))\nids?.forEach(save)\nasync function save() {}",
        ["forEach 1", "forEach 2"]
      ],
      ["_.forEach(ids, async (id) => id)", ["forEach 1"]],
      ["\napi.Record.create(1, {})\n  .then((x) => x)", ["api.Record.create 2"]],
      ["void http.get('x').catch(() => {}); sleep(1)", ["http.get 1", "sleep 1"]],
      ["const save = async () => 1\nsave()\nawait save()\nreturn save()", ["save 2"]],
      ["ids.map(async (id) => id); await Promise.all(ids.map(async (id) => id))", ["ids.map 1"]],
      ["(async () => { await sleep(1) })()", ["an async function 1"]],
      ["const p = api.App.get(1); ids.forEach((id) => { n += id }); console.log(1); return p", []],
      ["return api.App.get(", []]
    ] as const
    for (const [source, calls] of callsInText)
      it(`${source.replaceAll("\n", " ")}: ${calls.length === 0 ? "nothing" : calls.join(", ")}`, () => {
        assert.deepStrictEqual(
          droppedCalls(source).map(({ call, inForEach, line }) => `${inForEach ? "forEach" : call} ${line}`),
          calls as ReadonlyArray<string>
        )
      })
  })
})
