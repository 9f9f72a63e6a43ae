// Errors of scripts name the line and the column of the text as its author wrote it (developer-api.md 8.1).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ScriptError } from "../../../src/platform/sandbox/Sandbox.ts"
import { syntaxOf } from "../../../src/platform/sandbox/scriptSyntax.ts"
import { block, SandboxTest, sync } from "./support.ts"

/** The place is where the bar stands. */
type Case = readonly [source: string, message: RegExp]

const placeIn = (marked: string) => {
  const lines = marked.slice(0, marked.indexOf("|")).split("\n")
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
const without = (marked: string) => marked.replace("|", "")

const expressions: ReadonlyArray<Case> = [
  ["null.|x", /reading 'x'/],
  ["1 +\n  undefined.|x", /reading 'x'/],
  ["(() => {\n\n  throw |new Error('no')\n})()", /^Error: no$/],
  ["(function wrapped(n) { return n === 0 ? null.|x : wrapped(n - 1) })(60)", /reading 'x'/],
  ["((f) => (...given) => f(...given))((a) => a.|b)()", /reading 'b'/],
  ["_.map([1], (n) =>\n  n.x.|y)", /reading 'y'/],
  ["_.once(_.partial((a, b) => a.x.|y, 1))()", /reading 'y'/],
  ["cheerio.load('<p>')('p').map(() => null.|x).get()", /reading 'x'/],
  ["[3, 1].sort((a, b) => {\n  return a.x.|y - b\n})", /reading 'y'/],
  ["|structuredClone(() => 1)", /cannot be cloned/],
  ["|new URL('nonsense')", /Invalid URL/],
  ["crypto.|createHash('none')", /no digest none/],
  ["{ a: 1, get b() { return null.|x } }", /reading 'x'/],
  ["(() => { throw Object.assign(|new RangeError('no'), { name: 'Mine' }) })()", /^Mine: no$/],
  ["(() => { throw |new Error('script:9:9\\n    at x (script:7:7)') })()", /script:9:9/],
  ["(() => { throw |new Error('x'.repeat(5000)) })()", /^Error: x+$/],
  ["(() => { class Mine extends Error {} throw |new Mine('no') })()", /no$/],
  ["|jsonata('(')", /Expected|end/],
  ["JSON.|parse('{')", /JSON at position 1/],
  ["1 +|", /^SyntaxError: Unexpected end of input$/],
  ["f(1|\n\n;  ", /^SyntaxError: Unexpected end of input$/],
  ["[1,\n 2|", /^SyntaxError: Unexpected end of input$/],
  ["let |a = 1", /^SyntaxError: Unexpected identifier 'a'$/],
  ["1\n  |2", /^SyntaxError: Unexpected number$/],
  ["|return 1", /^SyntaxError: Illegal return statement$/]
]

const blocks: ReadonlyArray<Case> = [
  ["const a = 1\nconst b = a.x.|y", /reading 'y'/],
  ["await sleep(1)\n\nnull.|x", /reading 'x'/],
  ["const f = async () => {\n  await sleep(1)\n  throw |new Error('no')\n}\nawait f()", /^Error: no$/],
  ["const a = 1\n  await http.|get('https://example.com/status/404')", /status 404/],
  [
    "const safe = async (url) => await http.|get(url)\nawait Promise.all([safe('https://example.com/status/500')])",
    /status 500/
  ],
  ["return http\n  .|get('https://example.com/status/404').then((x) => x)", /status 404/],
  ["http.|get('https://example.com/status/404').then((x) => x)\nreturn 1", /nobody awaited it/],
  ["await api.|request('GET', '/x', 'y'.repeat(6e6))", /too large/],
  ["return _.once(async () => {\n  await null\n  return (void 0).|x\n})()", /reading 'x'/],
  ["await Promise.reject(|new Error('no'))", /^Error: no$/],
  ["if (true) {\n  return 1|", /^SyntaxError: Unexpected end of input$/],
  ["return 2 +|", /^SyntaxError: Unexpected end of input$/],
  ["const a = 1\nconst |a = 2", /^SyntaxError: Identifier 'a' has already been declared$/]
]

layer(SandboxTest, { excludeTestServices: true })("places of errors", (it) => {
  const assertPosition = (marked: string, message: RegExp, error: { readonly message: string }) => {
    assert.match(error.message, message, marked)
    const { column, line } = error as ScriptError
    assert.deepStrictEqual({ line, column }, placeIn(marked), marked)
  }
  it.effect("an expression's error stands where its author wrote it, also through wrappers and libraries", () =>
    Effect.gen(function* () {
      for (const [marked, message] of expressions)
        assertPosition(marked, message, yield* Effect.flip(sync(without(marked))))
    })
  )
  it.effect("a block's error stands where its author wrote it, also after an await and in a call that is refused", () =>
    Effect.gen(function* () {
      for (const [marked, message] of blocks)
        assertPosition(marked, message, yield* Effect.flip(block(without(marked))))
    })
  )
  it.effect("what is thrown and is no error has no place, nor has a stack that the script made up", () =>
    Effect.gen(function* () {
      for (const source of [
        "(() => { throw 'x' })()",
        "(() => { throw { a: 1 } })()",
        "(() => { const e = new Error('no'); e.stack = 5; throw e })()",
        "(() => { const e = new Error('no'); e.stack = '\\n    at (script:12345678901:1)'; throw e })()"
      ])
        assert.deepInclude(yield* Effect.flip(sync(source)), { line: null, column: null }, source)
    })
  )
  it.effect("validate finds the same places without running a script", () =>
    Effect.gen(function* () {
      const wrong = [
        ...expressions.map(([marked, message]) => ["sync", marked, message] as const),
        ...blocks.map(([marked, message]) => ["async", marked, message] as const)
      ].filter(([, , message]) => message.source.startsWith("^SyntaxError"))
      assert.isAtLeast(wrong.length, 9)
      const syntaxResults = yield* syntaxOf(wrong.map(([mode, marked]) => ({ mode, source: without(marked) })))
      for (const [n, { fault }] of syntaxResults.entries()) {
        const [, marked, message] = wrong[n]!
        assert.match(fault!.message, message, marked)
        assert.deepStrictEqual(fault!.position, placeIn(marked), marked)
      }
    })
  )
})
