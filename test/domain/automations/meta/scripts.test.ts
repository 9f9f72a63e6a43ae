// The declarations of scripts against the realm that scripts really have (developer-api.md 8.2, 8.4): what is declared is there with
// that shape, and nothing else is.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scriptDeclarations } from "../../../../src/domain/automations/meta/scriptDeclarations.ts"
import { goneFromScripts, scriptNames } from "../../../../src/domain/automations/meta/scriptNames.ts"
import { App } from "../../../support/app.ts"
import { mistakesIn } from "../../../support/scriptTypes.ts"
import { spineLayer } from "../../../support/spine.ts"
import { completed, compute, custom, order, runSteps, seedWorld } from "../actions/support.ts"

interface Member {
  readonly kind: string
  readonly length?: number
  readonly members?: Readonly<Record<string, Member>>
}
interface Realm {
  readonly names: ReadonlyArray<string>
  readonly shapes: Readonly<Record<string, Member>>
  readonly classes: Readonly<
    Record<string, { readonly own: ReadonlyArray<string>; readonly of: ReadonlyArray<string> }>
  >
  readonly values: Readonly<Record<string, unknown>>
}

const classes = ["URL", "URLSearchParams", "TextEncoder", "TextDecoder"]
const values = scriptNames
  .filter(
    ({ name, type }) => /^(number|string|boolean|any|ScriptRecord.*|ScriptTrigger)$/.test(type) && name !== "console"
  )
  .map(({ name }) => name)
const shaped = scriptNames
  .filter(({ name, type }) => !type.startsWith("typeof") && !values.includes(name))
  .map(({ name }) => name)

/** Looks around in the realm that it runs in. */
const inspectRealm = `(() => {
  const shape = (value, depth) => {
    const kind = typeof value
    const members = kind !== "object" || depth > 3 ? undefined
      : Object.fromEntries(Object.getOwnPropertyNames(value).map((name) => [name, shape(value[name], depth + 1)]))
    return { kind, ...(kind === "function" ? { length: value.length } : {}), ...(members ? { members } : {}) }
  }
  const there = (names) => names.filter((name) => Object.hasOwn(globalThis, name))
  const each = (names, what) => Object.fromEntries(there(names).map((name) => [name, what(globalThis[name])]))
  const samples = { URL: ["https://a.example"] }
  return {
    names: Object.getOwnPropertyNames(globalThis),
    shapes: each(${JSON.stringify(shaped)}, (value) => shape(value, 0)),
    classes: Object.fromEntries(${JSON.stringify(classes)}.map((name) => [name, {
      own: Object.getOwnPropertyNames(globalThis[name]).filter((key) => !["length", "name", "prototype"].includes(key)),
      of: [...new Set([
        ...Object.getOwnPropertyNames(globalThis[name].prototype),
        ...Object.getOwnPropertyNames(new globalThis[name](...(samples[name] ?? [])))
      ])].filter((key) => key !== "constructor")
    }])),
    values: each(${JSON.stringify(values)}, (value) => value)
  }
})()`

/** The values that the referenced parts of the language declare. */
const language = (): ReadonlyArray<string> => {
  const typescript = createRequire(createRequire(import.meta.url).resolve("typescript/package.json"))
  const native = typescript.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)
  const parts = [...scriptDeclarations().matchAll(/^\/\/\/ <reference lib="(.*)" \/>$/gm)].map(([, part]) => part!)
  const texts = ["es5", ...parts].map((part) => readFileSync(`${dirname(native)}/lib/lib.${part}.d.ts`, "utf8"))
  const declared = texts.flatMap((text) =>
    [...text.matchAll(/^declare (?:abstract )?(?:var|let|const|function|class|namespace) (\w+)/gm)].map(
      ([, name]) => name!
    )
  )
  return [...new Set(declared)]
}

const union = (names: ReadonlyArray<string>) =>
  names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ")

/** What holds where the declarations say of a member what the realm has. */
const claims = (path: string, { kind, length, members }: Member): ReadonlyArray<string> =>
  kind === "function"
    ? [
        `yes<Parameters<typeof ${path}>["length"] extends infer N ? ${length} extends N ? true : N extends ${length} ? true : false : never>(true)`
      ]
    : [
        `yes<Same<keyof typeof ${path}, ${union(Object.keys(members ?? {}))}>>(true)`,
        ...Object.entries(members ?? {}).flatMap(([name, member]) => claims(`${path}.${name}`, member))
      ]

const missingNames = [
  ...goneFromScripts.filter((name) => name !== "eval" && name !== "Function()"),
  "fetch",
  "setTimeout"
]
const absent = [
  ...missingNames,
  "require",
  "module",
  "process",
  "crypto.subtle",
  "WebAssembly",
  "Buffer",
  "queueMicrotask",
  "Temporal"
]

layer(spineLayer(), { excludeTestServices: true })("the declarations of scripts", (it) => {
  it.effect("8.2: what is declared is there with that shape, and nothing undeclared is", () =>
    Effect.gen(function* () {
      const world = yield* seedWorld
      const id = yield* order(world, { name: "Bolts", amount: 2.5, tags: ["Red"], due: "2026-03-02" })
      const any = (label: string) => ({ custom_type: "any", label })
      const block = (label: string) => ({
        type: "custom_code",
        config: { code: [`return ${inspectRealm}`], custom_variable_defs: [any(label)] }
      })
      const run = yield* runSteps(world, id, [
        compute("list", "[1]"),
        compute("expression", inspectRealm),
        block("block"),
        {
          type: "for_loop",
          config: { iterable: custom("list"), action_rows: [block("loop"), compute("inner", inspectRealm)] }
        }
      ])
      completed(run)
      const { block: statements, expression, inner, loop } = run.variables as Record<string, Realm>

      const brought = language()
      const variables = ["var_list", "var_expression", "var_block", "var_loop", "var_inner"]
      const named = (...where: ReadonlyArray<string>) =>
        scriptNames.filter((row) => where.includes(row.where)).map(({ name }) => name)
      const expectedNames = (...names: ReadonlyArray<string>) =>
        [...new Set([...brought, "globalThis", "undefined", ...variables, ...names])]
          .filter((name) => name !== "eval")
          .toSorted()
      assert.deepStrictEqual(expression!.names.toSorted(), expectedNames(...named("all")))
      assert.deepStrictEqual(statements!.names.toSorted(), expectedNames(...named("all", "custom_code")))
      assert.deepStrictEqual(inner!.names.toSorted(), expectedNames(...named("all", "loop")))
      assert.deepStrictEqual(loop!.names.toSorted(), expectedNames(...named("all", "loop", "custom_code")))

      const lines = [
        "type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false",
        "const yes = <T extends boolean>(_: T & true) => undefined",
        ...loop!.names.filter((name) => !variables.includes(name)).map((name) => `void ${name}`),
        ...absent.map((name) => `// @ts-expect-error it is not there\nvoid ${name}`),
        ...Object.entries(loop!.shapes).flatMap(([name, shape]) => claims(name, shape)),
        ...Object.entries(loop!.classes).flatMap(([name, { of, own }]) => [
          `yes<Same<Exclude<keyof typeof ${name}, "prototype">, ${union(own)}>>(true)`,
          `yes<Same<Extract<keyof ${name}, string>, ${union(of)}>>(true)`
        ]),
        ...Object.entries(loop!.values).map(
          ([name, value]) => `const _${name}: typeof ${name} = ${JSON.stringify(value)}`
        )
      ]
      assert.deepStrictEqual(Object.keys(loop!.values).toSorted(), values.toSorted())
      assert.deepStrictEqual(Object.keys(loop!.shapes).toSorted(), shaped.toSorted())
      assert.deepStrictEqual(loop!.values["loop_index"], 0)
      assert.deepStrictEqual(yield* mistakesIn({ "claims.ts": `${lines.join("\n")}\nexport {}\n` }), [])
      // A claim that does not hold is found.
      assert.lengthOf(
        yield* mistakesIn({
          "claims.ts": `${lines.slice(0, 2).join("\n")}\nyes<Same<keyof typeof http, "get">>(true)\nexport {}\n`
        }),
        1
      )
    })
  )

  it.effect(
    "8: /v1/automation/script.d.ts needs no credential; the catalogue holds the same names, with the limits",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { token } = yield* seedWorld
        const file = yield* app.call("GET", "/v1/automation/script.d.ts")
        assert.deepStrictEqual([file.status, file.text], [200, scriptDeclarations()])
        assert.strictEqual(file.headers.get("content-type"), "application/typescript; charset=utf-8")
        const headers = { "if-none-match": file.headers.get("etag")! }
        assert.strictEqual((yield* app.call("GET", "/v1/automation/script.d.ts", { headers })).status, 304)
        assert.strictEqual((yield* app.call("GET", "/v1/automation/meta/script")).status, 401)
        const { json } = yield* app.call("GET", "/v1/automation/meta/script", { token })
        assert.deepStrictEqual(Object.keys(json), ["names", "types", "libraries", "unavailable", "limits"])
        assert.deepStrictEqual(json.names, scriptNames)
        for (const types of json.types) assert.include(file.text, types)
        assert.deepInclude(json.libraries, { package: "cheerio", version: "1.2.0" })
        assert.deepInclude(json.limits.custom_code, { cpu_ms: 10_000, http_calls: 50, memory_mib: 128 })
        assert.deepInclude(json.limits.expression, { cpu_ms: 250, http_calls: 0, memory_mib: 32 })
      })
  )
})
