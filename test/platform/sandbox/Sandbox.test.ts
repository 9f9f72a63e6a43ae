// What scripts may use and what comes out of them (developer-api.md 8.1 to 8.3).
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Latch, Result } from "effect"
import { asyncLimits, syncLimits } from "../../../src/platform/config/sandboxLimits.ts"
import { Sandbox } from "../../../src/platform/sandbox/Sandbox.ts"
import { block, outside, SandboxTest, sync, valueOf } from "./support.ts"

layer(SandboxTest, { excludeTestServices: true })("script environment (developer-api.md 8)", (it) => {
  describe("expressions (8.1)", () => {
    it.effect("an expression sees its bindings and answers its value", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* valueOf("var_a * 2", { var_a: 21 }), 42)
        assert.deepStrictEqual(yield* valueOf("{ a: 1 }"), { a: 1 })
        assert.deepStrictEqual(yield* valueOf("(() => { const b = 1; return b + 1 })()"), 2)
        assert.deepStrictEqual(yield* valueOf("var_a // why\n", { var_a: [1, { b: null }] }), [1, { b: null }])
      })
    )
    it.effect("a top-level return is an illegal return statement", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(sync("return 1"))
        assert.strictEqual(error._tag, "ScriptError")
        assert.match(error.message, /Illegal return statement/)
      })
    )
    it.effect("a block that does not parse says what is wrong, not that it returns", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(block("if (true) return 1\nreturn 2 +"))
        assert.strictEqual(error.message, "SyntaxError: Unexpected end of input")
      })
    )
    it.effect("a thrown error carries its message and line", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(sync("(() => {\n\n  throw new TypeError('bad value')\n})()"))
        assert.deepInclude(error, { _tag: "ScriptError", message: "TypeError: bad value", line: 3, column: 9 })
      })
    )
    it.effect("promises are unusable in synchronous mode", () =>
      Effect.gen(function* () {
        assert.match((yield* Effect.flip(sync("Promise.resolve(1)"))).message, /promise/)
        assert.match((yield* Effect.flip(sync("await 1"))).message, /SyntaxError/)
        assert.match((yield* Effect.flip(sync("http.get('https://example.com')"))).message, /http is not defined/)
      })
    )
    it.effect("console writes lines with their level, cut with a marker", () =>
      Effect.gen(function* () {
        const { logs } = yield* sync(
          "(() => { console.log('a', { b: 1 }); console.warn(2); console.error(new Error('x')) })()"
        )
        assert.deepStrictEqual(logs, [
          { level: "log", message: 'a {"b":1}' },
          { level: "warn", message: "2" },
          { level: "error", message: "Error: x" }
        ])
        const cut = yield* sync("(() => { for (let i = 0; i < 1000; i++) console.info('x'.repeat(100)) })()")
        assert.isBelow(
          cut.logs.reduce((n, l) => n + l.message.length, 0),
          16 * 1024 + 20
        )
        assert.match(cut.logs.at(-1)!.message, /log cut/)
        const ample = { cpuMillis: 5_000 }
        const hollow = yield* sync("(() => { for (let i = 0; i < 20000; i++) console.log('') })()", {}, ample)
        assert.strictEqual(hollow.logs.length, 16 * 1024 + 2, "an empty line costs its end")
        const failed = yield* Effect.flip(sync("(() => { console.log('before'); throw 1 })()"))
        assert.deepStrictEqual((failed as any).logs, [{ level: "log", message: "before" }])
      })
    )
  })

  it.effect("console puts values into a first text with %s and its like, as Node does", () =>
    Effect.gen(function* () {
      const lines: ReadonlyArray<readonly [string, string]> = [
        ["'%s has %d', 'Bolts', 3", "Bolts has 3"],
        ["'%i of %f, %j and %o', 3.7, 2.5, { a: 1 }, 'x'", '3 of 2.5, {"a":1} and "x"'],
        ["'100% of %s', 'all', 'more'", "100% of all more"],
        ["'%% %s', 1", "% 1"],
        ["'%s %s', 1", "1 %s"],
        ["'%s'", "%s"],
        ["'%cred', 'color: red'", "red"],
        ["'%d %i', {}, 'x'", "NaN NaN"],
        ["'%s|%s', new Error('lost'), new Map([['a', 1]])", 'Error: lost|{"a":1}'],
        ["1, '%s', 2", "1 %s 2"],
        ["'%', 1", "% 1"]
      ]
      for (const [values, line] of lines) {
        const { logs } = yield* sync(`console.log(${values})`)
        assert.deepStrictEqual(logs, [{ level: "log", message: line }], values)
      }
    })
  )

  it.effect("a Map is an object, a Set a list, an Error its name and message", () =>
    Effect.gen(function* () {
      const results: ReadonlyArray<readonly [string, unknown]> = [
        ["new Map([['a', 1], [2, new Map()]])", { a: 1, 2: {} }],
        ["new Map([[{ id: 1 }, 'x']])", [[{ id: 1 }, "x"]]],
        ["[new Set(['a', { b: 1 }])]", [["a", { b: 1 }]]],
        ["new TypeError('no')", { name: "TypeError", message: "no" }],
        ["Object.assign(new Error('no'), { status: 404 })", { name: "Error", message: "no", status: 404 }],
        ["Object.assign(new Map(), { toJSON: () => 7 })", 7]
      ]
      for (const [source, value] of results) assert.deepStrictEqual(yield* valueOf(source), value, source)
      const cycle = yield* Effect.flip(sync("(() => { const m = new Map(); m.set('me', m); return m })()"))
      assert.match(cycle.message, /The result at me is a cycle/)
    })
  )

  describe("results (8.3)", () => {
    it.effect("the limits are those of the table", () =>
      Effect.sync(() => {
        const KiB = 1024
        const MiB = 1024 * KiB
        assert.deepStrictEqual(syncLimits, {
          ...{ cpuMillis: 250, wallMillis: 1_000, memoryMiB: 32 },
          ...{ resultBytes: 256 * KiB, logBytes: 16 * KiB, sourceBytes: 64 * KiB },
          ...{ httpCalls: 0, apiCalls: 0, concurrentCalls: 0, httpResponseBytes: 0 }
        })
        assert.deepStrictEqual(asyncLimits, {
          ...{ cpuMillis: 10_000, wallMillis: 60_000, memoryMiB: 128 },
          ...{ resultBytes: MiB, logBytes: 64 * KiB, sourceBytes: 256 * KiB },
          ...{ httpCalls: 50, apiCalls: 200, concurrentCalls: 5, httpResponseBytes: 5 * MiB }
        })
      })
    )
    it.effect("undefined becomes null and is told apart, a Date becomes the datetime string", () =>
      Effect.gen(function* () {
        const nothing = yield* sync("undefined")
        assert.deepInclude(nothing, { value: null, undefined: true })
        assert.deepInclude(yield* sync("null"), { value: null, undefined: false })
        const value = yield* valueOf(
          "{ at: new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 7)), no: undefined, list: [undefined] }"
        )
        assert.deepStrictEqual(value, { at: "2026-02-03 04:05:06", no: null, list: [null] })
        assert.deepStrictEqual(yield* valueOf("[NaN, new Date(NaN), Infinity]"), [null, null, null])
        assert.deepStrictEqual(
          yield* valueOf("[253402300799999, 253402300800000, 8.64e15, -62167219200001].map((at) => new Date(at))"),
          ["9999-12-31 23:59:59", null, null, null]
        )
      })
    )
    it.effect.each([
      ["(() => 1)", /function/],
      ["{ a: { b: [() => 1] } }", /a\.b\[0\].*function/],
      ["Symbol('x')", /symbol/],
      ["(() => { const a = {}; a.self = a; return a })()", /cycle/],
      ["1n", /big integer/],
      ["'x'.repeat(300 * 1024)", /larger than 262144 bytes/]
    ] as const)("%s is an error that names the place", ([source, message]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(sync(source))
        assert.strictEqual(error._tag, "ScriptError")
        assert.match(error.message, message)
      })
    )
    it.effect("a source above the limit is refused", () =>
      Effect.map(Effect.flip(sync(`1${" ".repeat(65 * 1024)}`)), (e) =>
        assert.match(e.message, /source is larger than 65536/)
      )
    )
    it.effect("variables that were assigned come back, untouched ones do not", () =>
      Effect.gen(function* () {
        const request = { bindings: { var_a: 1, var_b: [1], var_c: 3 }, collect: ["var_a", "var_b", "var_c", "var_d"] }
        const { vars, value } = yield* block("var_a = 2; var_b.push(2); var_d = 'new'; return 'first'", request)
        assert.deepStrictEqual({ vars, value }, { vars: { var_a: 2, var_b: [1, 2], var_d: "new" }, value: "first" })
      })
    )
  })

  describe("what is available (8.2)", () => {
    it.effect.each([
      ["_.uniq([1, 1, 2]).concat(lodash.last([3]))", [1, 2, 3]],
      ["date_fns.format(new Date(0), 'yyyy-MM-dd HH:mm')", "1970-01-01 00:00"],
      ["date_fns_tz.formatInTimeZone(new Date(0), 'Europe/Vienna', 'HH:mm')", "01:00"],
      ["uuid.validate(uuid.v4()) && uuid.v4() !== uuid.v4() && uuid.v7().length", 36],
      ["moment.utc('2026-01-31').add(1, 'month').format('LL') + moment().utcOffset()", "February 28, 20260"],
      ["striptags('<p>a <b>b</b><script>c</script></p>', ['b'])", "a <b>b</b>c"],
      ["minimatch('a/b.txt', '**/*.{txt,md}') && minimatch.filter('*.js')('a.js')", true],
      [
        "cheerio.load('<ul><li class=a>x<li>y</ul>')('li').map((i, e) => i + (e.attribs.class ?? 'b')).get()",
        ["0a", "1b"]
      ],
      ["typeof jsonata('a.b').evaluate", "function"],
      ["new URL('../x?q=1#h', 'https://example.com/a/b/').href", "https://example.com/a/x?q=1#h"],
      [
        "(() => { const u = new URL('https://example.com/?a=1'); u.searchParams.append('b', 'ü &'); u.hash = 'z'; return String(u) })()",
        "https://example.com/?a=1&b=%C3%BC+%26#z"
      ],
      [
        "[...new URLSearchParams({ a: '1', b: 'x y' })].join(';') + new URLSearchParams('a=%20b+c').get('a')",
        "a,1;b,x y b c"
      ],
      ["new TextDecoder().decode(new TextEncoder().encode('aß€😀'))", "aß€😀"],
      ["[...new TextEncoder().encode('€')]", [226, 130, 172]],
      ["new TextDecoder().decode(new Uint8Array([0xff, 65, 0xe2, 0x82]))", "\ufffdA\ufffd"],
      ["atob(btoa('Hello, \\xff!')) + btoa('a')", "Hello, \xff!YQ=="],
      [
        "(() => { const a = { d: new Date(5), m: new Map([[1, { x: 1 }]]) }; a.me = a; const b = structuredClone(a); return [b.me === b, b.m.get(1).x, b.d.getTime(), b !== a] })()",
        [true, 1, 5, true]
      ],
      ["new Intl.NumberFormat('de-DE').format(1234.5)", "1.234,5"],
      ["new Date(2026, 0, 1).getTimezoneOffset() + Intl.DateTimeFormat().resolvedOptions().timeZone", "0UTC"],
      ["[...new Set([1, 1])].length + new Uint8Array(2).length + Math.max(1, 2)", 5]
    ] as const)("%s", ([source, expected]) =>
      Effect.map(valueOf(source), (value) => assert.deepStrictEqual(value, expected as never))
    )
  })

  describe("custom_code (8.1, 8.2)", () => {
    it.effect("top-level return and await are legal", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* block("const x = await jsonata('a + 1').evaluate({ a: 2 }); return x"), { value: 3 })
        assert.deepInclude(yield* block("var_x = 1"), { value: null, undefined: true })
        const error = yield* Effect.flip(block("\nawait sleep(1)\nnull.x"))
        assert.deepInclude(error, { _tag: "ScriptError", line: 3 })
      })
    )
    it.effect("http resolves to status, headers and data, and rejects on 400 and above", () =>
      Effect.gen(function* () {
        const host = outside()
        const source = `
          const a = await http.post('https://example.com/x', { n: 1 }, { headers: { 'X-A': 1 }, params: { q: 'a b' } })
          const b = await http.get('https://example.com/status/404').catch((e) => [e.message, e.status, e.response.status])
          const c = await http.get('https://example.com/', { responseType: 'text' })
          return [a.status, a.data, b, typeof c.data]`
        const { value } = yield* block(source, host)
        const expectedRequest = {
          method: "POST",
          url: "https://example.com/x?q=a+b",
          headers: { "X-A": "1", "content-type": "application/json" },
          body: '{"n":1}'
        }
        assert.deepStrictEqual(value, [200, expectedRequest, ["Request failed with status 404", 404, 404], "string"])
        assert.deepStrictEqual(host.seen.http[0], expectedRequest)
      })
    )
    it.effect("bytes that a script sends go out as they are, also such that are no text", () =>
      Effect.gen(function* () {
        const host = outside()
        yield* block(
          `const bytes = Uint8Array.from([0, 255, 128, 10, 195])
          await http.post('https://example.com/', bytes)
          await http.put('https://example.com/', bytes.buffer)
          await http.patch('https://example.com/', new DataView(bytes.buffer, 1, 2), { headers: { 'Content-Type': 'image/png' } })
          await http.post('https://example.com/', new Uint8Array(0))`,
          host
        )
        assert.deepStrictEqual(
          host.seen.http.map(({ body, headers }) => [[...(body ?? "none")], Object.values(headers)]),
          [
            [[0, 255, 128, 10, 195], ["application/octet-stream"]],
            [[0, 255, 128, 10, 195], ["application/octet-stream"]],
            [[255, 128], ["image/png"]],
            [[], ["application/octet-stream"]]
          ]
        )
      })
    )

    it.effect("in a simulation http lets only get through", () =>
      Effect.gen(function* () {
        const host = outside()
        const { value } = yield* block(
          "return [await http.put('https://example.com/', 1), (await http.get('https://example.com/')).status]",
          { ...host, simulate: true }
        )
        assert.deepStrictEqual(value, [{ status: 200, data: null, simulated: true }, 200])
        assert.strictEqual(host.seen.http.length, 1)
        const patched = yield* Effect.flip(
          block(
            "const old = JSON.stringify; JSON.stringify = (x) => old({ ...x, method: 'PUT' }); await http.get('https://example.com/')",
            { ...host, simulate: true }
          )
        )
        assert.match(patched.message, /simulation/)
        assert.strictEqual(host.seen.http.length, 1, "what makes the call can be patched, what carries it out cannot")
      })
    )
    it.effect("api calls are numbered and keep webhooks and automations quiet unless asked", () =>
      Effect.gen(function* () {
        const host = outside()
        const { value } = yield* block(
          `await api.Record.create(7, { a: 1 }); await api.Record.update(8, {}, { workflow: true, silent: true })
           await api.request('get', '/app/7'); return await api.Comment.create(8, 'hi')`,
          host
        )
        assert.deepStrictEqual(value, { data: { path: "/comment/record/8" }, headers: { "x-request-id": "r" } })
        assert.deepStrictEqual(
          host.seen.api.map((c) => [c.position, c.method, c.path, c.query, c.body]),
          [
            [0, "POST", "/record/app/7", { hook: "false", workflow: "false" }, { fields: { a: 1 } }],
            [1, "PUT", "/record/8", { hook: "false", workflow: "true", silent: "true" }, { fields: {} }],
            [2, "GET", "/app/7", {}, null],
            [3, "POST", "/comment/record/8", { hook: "false", workflow: "false" }, { value: "hi" }]
          ]
        )
      })
    )
    it.effect("at most 50 http calls, five at once; at most 200 api calls (8.3)", () =>
      Effect.gen(function* () {
        let active = 0
        let most = 0
        const five = yield* Latch.make()
        const http = () =>
          Effect.gen(function* () {
            most = Math.max(most, ++active)
            // None is answered before five have been asked.
            if (active === 5) yield* five.open
            yield* five.await
            yield* Effect.sleep("5 millis")
            active--
            return { status: 200, headers: {}, body: new Uint8Array() }
          })
        const source =
          "const all = await Promise.allSettled(Array.from({ length: 60 }, () => http.get('https://example.com/')));" +
          "return [all.filter((x) => x.status === 'fulfilled').length, String(all.at(-1).reason)]"
        assert.deepStrictEqual((yield* block(source, { http })).value, [
          50,
          "Error: A script may make at most 50 http calls"
        ])
        assert.strictEqual(most, 5)
        const many =
          "return (await Promise.allSettled(Array.from({ length: 210 }, () => api.App.get(1)))).filter((x) => x.status === 'fulfilled').length"
        assert.strictEqual((yield* block(many)).value, 200)
      })
    )
    it.effect("a response above the limit is an error of the call", () =>
      Effect.gen(function* () {
        const http = () => Effect.succeed({ status: 200, headers: {}, body: new Uint8Array(6 * 1024 * 1024) })
        const { value } = yield* block("return await http.get('https://example.com/').catch((e) => e.message)", {
          http
        })
        assert.match(String(value), /larger than 5242880/)
      })
    )
    it.effect("awaiting what cannot happen fails at once, not after a minute", () =>
      Effect.map(Effect.flip(block("await new Promise(() => {})")), (e) =>
        assert.match(e.message, /nothing can settle/)
      )
    )
    it.effect("sleep takes at most 10000 milliseconds", () =>
      Effect.map(Effect.flip(block("await sleep(10001)")), (e) => assert.match(e.message, /RangeError/))
    )
  })

  describe("many rows in one trip", () => {
    it.effect("gives the same answers as one by one", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const rows = Array.from({ length: 60 }, (_, n) => ({ var_n: n, var_list: [n] }))
        for (const source of [
          "var_n % 2 === 0",
          "_.sum(var_list) + 1",
          "({ n: var_n, u: undefined })",
          "(() => { try { return var_n } catch {} })()"
        ]) {
          const many = yield* sandbox.runMany({ orgId: 1, source, rows })
          const single = yield* Effect.forEach(rows.slice(0, 5), (bindings) => valueOf(source, bindings))
          assert.strictEqual(many.length, rows.length)
          assert.deepStrictEqual(
            many.slice(0, 5).map((r) => Result.getOrThrow(r).value),
            single
          )
        }
      })
    )
    it.effect("a row that throws fails alone", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const rows = [{ v: { a: 1 } }, { v: null }, { v: { a: 3 } }]
        const results = yield* sandbox.runMany({ orgId: 1, source: "v.a", rows })
        assert.deepStrictEqual(
          results.map((r) => (Result.isSuccess(r) ? r.success.value : r.failure._tag)),
          [1, "ScriptError", 3]
        )
      })
    )
    it.effect("no row sees what another one changed", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const rows = Array.from({ length: 5 }, () => ({ v: 1 }))
        const counts = [
          "(Object.prototype.n = (Object.prototype.n || 0) + 1)",
          "(globalThis.n = (globalThis.n || 0) + 1)",
          "(Math.n = (Math.n || 0) + 1)",
          "(_.n = (_.n || 0) + 1)",
          "Array.prototype.push(1)",
          "Number(_.uniqueId())",
          "(console.log.n = (console.log.n || 0) + 1)",
          "(Intl.n = (Intl.n || 0) + 1)",
          "(URL.n = (URL.n || 0) + 1)",
          "(crypto.n = (crypto.n || 0) + 1)",
          "(crypto.createHash.n = (crypto.createHash.n || 0) + 1)",
          "((digest) => (digest.update.n = (digest.update.n || 0) + 1))(crypto.createHash('md5'))",
          "(Uint8Array.fromHex.n = (Uint8Array.fromHex.n || 0) + 1)",
          ...["moment", "cheerio", "minimatch", "striptags", "uuid"].map(
            (name) => `(${name}.n = (${name}.n || 0) + 1)`
          ),
          "moment.defineLocale('x', {}) && moment.locales().length - 1"
        ]
        for (const source of counts) {
          const results = yield* sandbox.runMany({ orgId: 1, source, rows })
          assert.deepStrictEqual(
            results.map((r) => Result.getOrThrow(r).value),
            [1, 1, 1, 1, 1],
            source
          )
        }
      })
    )
    it.effect("libraries give each row what they give to one alone", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const rows = [{ v: "2026-01-31" }, { v: "2026-12-31" }]
        for (const source of [
          "moment.utc(v).add(1, 'month').format('LL')",
          "moment.duration(moment.utc(v).diff('2026-01-01')).asDays()",
          "date_fns_tz.formatInTimeZone(date_fns.addDays(new Date(v), 1), 'Asia/Tokyo', 'yyyy-MM-dd HH')",
          "cheerio.load('<p><b>' + v + '</b>')('b').text()",
          "minimatch(v, '2026-0*')",
          "striptags('<b>' + v)",
          "_.chain([v, v]).uniq().map((x) => _.words(x)).value()",
          "uuid.v5(v, uuid.v5.DNS)",
          "crypto.createHmac('sha256', v).update(v).digest('hex')",
          "new TextDecoder('windows-1252').decode(Uint8Array.from(v, (c) => c.charCodeAt(0) + 80))",
          "new URL(v, 'https://example.com/').href"
        ]) {
          const many = yield* sandbox.runMany({ orgId: 1, source, rows })
          const singleValues = yield* Effect.forEach(rows, (row) => valueOf(source, row))
          assert.deepStrictEqual(
            many.map((r) => Result.getOrThrow(r).value),
            singleValues,
            source
          )
        }
      })
    )
    it.effect("a row beyond a limit ends the batch", () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const rows = [{ v: 0 }, { v: 1 }, { v: 2 }]
        const results = yield* sandbox.runMany({ orgId: 1, source: "(() => { while (v === 1); return v })()", rows })
        assert.deepStrictEqual(
          results.map((r) => (Result.isSuccess(r) ? r.success.value : r.failure._tag)),
          [0, "ScriptResourceLimit", "ScriptResourceLimit"]
        )
      })
    )
  })
})
