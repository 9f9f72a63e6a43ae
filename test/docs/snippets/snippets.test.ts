// Every snippet of the documentation: programs are type-checked and run against a service, documents are what they say they are. Scripts of
// automations are tried by scripts.test.ts, shells by shell/shell.test.ts.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import Ajv2020 from "ajv/dist/2020.js"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { parse } from "yaml"
import { freePort } from "../../../bin/parts/os.js"
import { Api } from "../../../src/api/Api.ts"
import { newSecret, signedHeaders, signingKey } from "../../../src/domain/webhooks/signature.ts"
import { programOf } from "../../../src/interfaces/cli/typesCommand.ts"
import { eventually } from "../../support/eventually.ts"
import { registerClient } from "../../support/oauth.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"
import { Served, servedLayer } from "../../support/served.ts"
import { pages, type Snippet, snippetsOf } from "../../support/snippets.ts"
import { consentOf, next, prompter } from "../shell/stage.ts"
import { complaintsIn, folderOfPrograms, nameOfSnippet, said } from "./program.ts"

const allSnippets = (...languages: ReadonlyArray<string>) => pages.flatMap((page) => snippetsOf(page, ...languages))
const programs = allSnippets("ts")
const servers = allSnippets("js")

/** By words in it: what a program is to say, and lines that go before one of its own or behind all. */
interface Trial {
  readonly says: string
  readonly before?: readonly [string, string]
  readonly behind?: string
}
const trials: Readonly<Record<string, Trial>> = {
  "for await (const record": { says: "The River\nThe Sea\n" },
  "ifMatch: 4": { says: "somebody changed it meanwhile\n" },
  "tableOf(client, Books)": { says: "The Sea\n", behind: "console.log(values.title)" },
  "await exchange(": {
    says: "The River\n",
    before: ["const tokens", "Object.assign(globalThis, { code: await consent(url) })"],
    behind: `console.log((await client.records.get({ record_id: 907 })).title)`
  },
  "liveEvents(": {
    says: "read what is shown anew\ncomment.create of record 907\n",
    before: [
      'if (event === "reset"',
      `if (event === "ready") void client.comments.create({ record_id: 907, body: { value: "Of two minds" } })`
    ]
  },
  "uploadFile(": { says: "\n5000 of 5000\n", behind: "await response.text()" },
  "console.log(event.record_id)": { says: "907\n" },
  "import { verifyWebhook }": { says: "record.create\n", behind: "console.log(event.type)" },
  "MillraceClient.layer": {
    says: `[ 'The Sea' ]\n`,
    behind: "console.log((await Effect.runPromise(titles)).slice(0, 1))"
  }
}
const trialOf = ({ text }: Snippet) => Object.entries(trials).find(([words]) => text.includes(words))?.[1]

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-snippets-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const seeded = Effect.gen(function* () {
  const { owner, workspaceId } = yield* seedWorkspace
  yield* next("apps", "app_id", 3)
  yield* next("records", "record_id", 907)
  const app = yield* createApp(owner, workspaceId, [field("single_text", "Title")], "Books")
  const createReply = yield* as(owner)("POST", "/v1/record/app/3", { fields: { title: "The River" } })
  assert.strictEqual(createReply.json.record_id, 907)
  const fields = [{ field_type: "single_text", label: "Title", slug: "title" }] as never
  return { owner, books: programOf({ app_id: app.app_id, name: "Books", fields }) }
})

/** A delivery of record 907, as the service signs it. */
const delivered = (secret: string) => {
  const body = JSON.stringify({ hook_id: 17, record_id: 907, revision_id: 0, type: "record.create" })
  return { body, headers: signedHeaders("msg_h_3f", new Date(), body, [signingKey(secret)]) }
}

layer(servedLayer(), { excludeTestServices: true })("programs of the documentation", (it) => {
  it.effect("in TypeScript compile as they stand, and do what they say", () =>
    Effect.gen(function* () {
      const { origin } = yield* Served
      const { books, owner } = yield* seeded
      const work = yield* folder
      folderOfPrograms(work, { books })
      for (const program of programs) writeFileSync(join(work, `${nameOfSnippet(program)}.ts`), program.text)
      assert.strictEqual(complaintsIn(work), "")
      // It does complain.
      writeFileSync(join(work, "wrong.ts"), `client.records.get({ record_id: "907" })\nexport {}`)
      assert.include(complaintsIn(work), "wrong.ts(1,")

      const secret = newSecret()
      const env = {
        SERVICE: origin,
        STAGE: yield* prompter({ consent: consentOf(owner) }),
        MILLRACE_TOKEN: owner.key,
        CLIENT_ID: yield* registerClient(),
        HOOK_SECRET: secret,
        DELIVERY: JSON.stringify(delivered(secret))
      }
      assert.isAtLeast(programs.length, 8)
      for (const program of programs) {
        const trial = trialOf(program)
        assert.isDefined(trial, `${nameOfSnippet(program)}: nothing says what it does`)
        const { before: [words, line] = ["", ""], behind = "", says } = trial!
        const text = program.text.replaceAll("svc_oc_…", env.CLIENT_ID)
        const output = yield* said(
          work,
          `${words === "" ? text : text.replace(words, `${line}\n${words}`)}\n${behind}`,
          env
        )
        assert.include(output, says, nameOfSnippet(program))
      }
    }).pipe(Effect.scoped)
  )

  it.effect("that receive deliveries take those of the service, and no others", () =>
    Effect.gen(function* () {
      const work = yield* folder
      folderOfPrograms(work, {})
      assert.strictEqual(servers.length, 1)
      writeFileSync(join(work, "server.js"), servers[0]!.text)
      const port = String(yield* Effect.promise(() => freePort() as Promise<number>))
      const secret = newSecret()
      const env = { PORT: port, HOOK_SECRET: secret, MILLRACE_TOKEN: "none" }
      const out: Array<string> = []
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          const child = spawn(process.execPath, ["--import", "./given.js", "server.js"], { cwd: work, env })
          child.stdout.on("data", (chunk) => out.push(String(chunk)))
          return child
        }),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const sendTo = (init: RequestInit) =>
        Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}`, { method: "POST", ...init }).then(
            ({ status }) => status,
            () => 0
          )
        )
      const delivery = delivered(secret)
      assert.strictEqual(yield* eventually("the server", sendTo(delivery), (status) => status !== 0), 204)
      assert.strictEqual(yield* sendTo({ ...delivery, body: delivery.body.replace("907", "908") }), 401)
      const words = yield* eventually(
        "its words",
        Effect.sync(() => out.join("")),
        (text) => text.endsWith("\n")
      )
      assert.strictEqual(words, "msg_h_3f record.create\n")
    }).pipe(Effect.scoped)
  )
})

describe("documents of the documentation", () => {
  const spec: any = OpenApi.fromApi(Api)
  const Ajv = Ajv2020 as unknown as typeof Ajv2020.default
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).addSchema(spec, "api")
  const diff = "/v1/automation/{automation_id}/revision/{from_id}/diff/{to_id}"
  const answer = `/paths/${diff.replaceAll("/", "~1")}/get/responses/200/content/application~1json/schema`
  /** By words in it; null for configurations of other programs. */
  const schemas: Readonly<Record<string, string | null>> = {
    '"status_code"': "/components/schemas/DevApiError",
    '"differences"': answer,
    '"http_call"': "/components/schemas/HttpCallAction",
    '"first_ms"': "/components/schemas/Retry",
    '"dry_run"': "/components/schemas/FieldConvert",
    '"group_by"': "/components/schemas/ViewCreate",
    mcp: null,
    compilerOptions: null
  }

  /** Pages whose examples test/docs/reference.test.ts puts through the API's own decoders. */
  const decodedElsewhere = ["docs/actions.md", "docs/fields.md", "docs/triggers.md"]

  it("in JSON are of the shape that the API gives them", () => {
    const documents = allSnippets("json").filter(({ page }) => !decodedElsewhere.includes(page))
    assert.isAtLeast(documents.length, 6)
    for (const document of documents) {
      const value = JSON.parse(document.text)
      const [, pointer] = Object.entries(schemas).find(([words]) => document.text.includes(words)) ?? []
      assert.isDefined(pointer, `${nameOfSnippet(document)}: nothing says what it is`)
      if (typeof pointer === "string") {
        const valid = ajv.validate({ $ref: `api#${encodeURI(pointer)}` }, value)
        assert.isTrue(valid, `${nameOfSnippet(document)}: ${ajv.errorsText()}`)
      }
    }
  })

  it("in YAML can be read", () => {
    for (const snippet of allSnippets("yaml")) assert.isObject(parse(snippet.text), nameOfSnippet(snippet))
  })
})
