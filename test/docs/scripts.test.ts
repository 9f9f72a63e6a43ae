// docs/scripts.md says what is so: its table is that of the names, its examples type-check against the declarations, and run in the
// real sandbox they give what stands below them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scriptNames } from "../../src/domain/automations/meta/scriptNames.ts"
import type { ApiRequest, ScriptHttpRequest } from "../../src/platform/sandbox/Sandbox.ts"
import { block, SandboxTest, sync } from "../platform/sandbox/support.ts"
import { guide, mistakesIn } from "../support/scriptTypes.ts"

const blocks = (info: RegExp) =>
  [...guide.matchAll(/^```(\S+) (\S+)\n([\s\S]*?)^```$/gm)]
    .filter(([, language, name]) => info.test(`${language} ${name}`))
    .map(([, , name, text]) => ({ name: name!, text: text! }))

const bindings = Object.fromEntries(blocks(/^json /).map(({ name, text }) => [name, JSON.parse(text)]))
const examples = blocks(/^js /).map(({ name, text }) => {
  const [source, shown] = text.split("// → ") as [string, string]
  return { form: name, source, shown: JSON.parse(shown) }
})

/** The type of a JSON value; of a list, that of its first item. */
const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return `Array<${typeOf(value[0])}>`
  if (typeof value !== "object" || value === null) return typeof value
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key}: ${typeOf(item)}`)
    .join("; ")} }`
}

const scopeWords = { all: "all scripts", custom_code: "`custom_code`", loop: "inside of loops" } as const
const table = [
  "| Name | In | Type | |",
  "|---|---|---|---|",
  ...scriptNames.map(
    ({ description, name, type, where }) =>
      `| \`${name}\` | ${scopeWords[where]} | \`${type.replaceAll("|", "\\|")}\` | ${description} |`
  )
].join("\n")

/** The hosts and records of the examples. */
const http = ({ body, url }: ScriptHttpRequest) =>
  Effect.sync(() => {
    const [status, data] =
      url === "https://erp.example.com/stock?sku=B-7"
        ? [200, { pieces: 12 }]
        : url === "https://erp.example.com/orders" && body === '{"sku":""}'
          ? [422, { why: "sku is empty" }]
          : [404, null]
    return { status, headers: { "content-type": "application/json" }, body: Buffer.from(JSON.stringify(data)) }
  })
const api = ({ method, path }: ApiRequest) =>
  Effect.sync(() => {
    const foundRecords = { records: [{ record_id: 71 }, { record_id: 72 }] }
    const isKnownRecord = method === "PUT" && /^\/record\/7[12]$/.test(path)
    if (path === "/record/app/12") return { status: 200, headers: {}, data: foundRecords }
    return { status: isKnownRecord ? 200 : 404, headers: {}, data: { error_message: "Not found" } }
  })

layer(SandboxTest, { excludeTestServices: true })("docs/scripts.md", (it) => {
  it.effect("its table is that of the names", () =>
    Effect.sync(() => assert.include(guide, `<!-- names -->\n\n${table}\n`))
  )

  it.effect("its examples type-check with the declarations", () =>
    Effect.gen(function* () {
      const variables = Object.entries(bindings).filter(([name]) => name.startsWith("var_"))
      const mistakes = yield* mistakesIn({
        "variables.d.ts": variables.map(([name, value]) => `declare let ${name}: ${typeOf(value)}\n`).join(""),
        ...Object.fromEntries(
          examples.map(({ form, source }, n) => [
            `example-${n + 1}.ts`,
            // The record is there in all of them.
            form === "expression"
              ? `void ((current_record: ScriptRecord) => (\n${source}))`
              : `void (async (current_record: ScriptRecord) => {\n${source}})`
          ])
        )
      })
      assert.deepStrictEqual(mistakes, [])
      assert.isAtLeast(examples.length, 14)
    })
  )

  it.effect("its examples give what they show", () =>
    Effect.gen(function* () {
      for (const { form, shown, source } of examples) {
        const { value } =
          form === "expression"
            ? yield* sync(source, bindings)
            : yield* block(source, { bindings, http, api, secrets: { erp_key: "the key" } })
        assert.deepStrictEqual(value, shown, source)
      }
    })
  )
})
