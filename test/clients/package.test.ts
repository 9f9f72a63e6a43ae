// The package as it would be published, in a page of another site in Chromium and in its workers: no Node, no other package
// (developer-api.md 1.1, CORS).
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { rolldown } from "rolldown"
import { inject } from "vitest"
import { hashToken, randomToken } from "../../src/platform/sealing/Secrets.ts"
import { openTab, Scene, SceneLive } from "../interfaces/pages/chromium.ts"
import { until } from "../interfaces/pages/waiting.ts"
import { asService, urlOf } from "../support/database.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { typed } from "../support/processes.ts"
import { promise } from "./support.ts"

const root = new URL("../..", import.meta.url).pathname

/** Unpacked below a folder of its own, as an installation would. */
const packed = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-client-"))
    const npm = (...args: ReadonlyArray<string>) =>
      execFileSync("npm", [...args], {
        cwd: join(root, "clients/typescript"),
        encoding: "utf8",
        timeout: ENDS_MILLIS,
        stdio: ["ignore", "pipe", "pipe"]
      })
    const [{ filename, files }] = JSON.parse(npm("pack", "--json", "--pack-destination", folder)) as [
      { filename: string; files: ReadonlyArray<{ path: string }> }
    ]
    execFileSync("tar", ["-xzf", filename], { cwd: folder })
    return { folder, files: files.map(({ path }) => path) }
  }),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

const page = (origin: string, token: string, workspaceId: number) => `
import { bearer, isApiError, makeClient, tableOf, uploadFile } from "./package/dist/index.js"
const client = makeClient({ baseUrl: ${JSON.stringify(origin)}, credentials: bearer(${JSON.stringify(token)}) })
globalThis.done = (async () => {
  const { app_id } = await client.apps.create({ body: {
    workspace_id: ${workspaceId}, name: "Books",
    fields: [{ field_type: "single_text", config: { label: "Title" } }, { field_type: "multi_attachment", config: { label: "Cover" } }]
  } })
  const bytes = []
  const file = await uploadFile(client.transport, new Blob(["x".repeat(100000)]), { name: "cover.txt", onProgress: (p) => bytes.push(p.bytes) })
  const books = tableOf(client, { app_id, fields: { title: "single_text", cover: "multi_attachment" } })
  const { record_id, values } = await books.create({ title: "Sea", cover: [file.file_id] })
  const missing = await client.records.get({ record_id: 2 ** 40 }).catch((error) => isApiError(error, "record_not_exists") && error.requestId !== null)
  return { title: values.title, covers: values.cover.map(({ filename }) => filename), sent: bytes.at(-1), missing, record_id, app_id }
})()`

/** The same in a worker of the page; its result is handed on. */
const inWorker = (code: string) => `
const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(`${code}\ndone.then(postMessage, (error) => postMessage(String(error)))`)}], { type: "text/javascript" })), { type: "module" })
globalThis.done = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); worker.onerror = ({ message }) => resolve(message) })`

/** What a service worker has and lacks. */
const AS_SERVICE_WORKER = "delete globalThis.XMLHttpRequest; globalThis.ServiceWorkerGlobalScope = class {};\n"

/** What whoever installs it writes; the comment that expects an error is one itself where there is none. */
const program = `
import { bearer, makeClient, tableOf } from "@millrace/client"
import { Books, type BooksInput } from "./books.js"
const client = makeClient({ baseUrl: "https://millrace.example.com", credentials: bearer("svc_pat_") })
const input: BooksInput = { title: "Sea" }
const { values } = await tableOf(client, Books).create(input)
const title: string | null = values.title
const names: Array<string> = values.cover.map(({ filename }) => filename)
// @ts-expect-error the title is a text
const wrong: BooksInput = { title: 1 }
console.log(title, names, wrong)
`

layer(SceneLive, { excludeTestServices: true })("the package @millrace/client", (it) => {
  it.effect(
    "works in a page of another site and in workers, alone, and types of an app come from the command line",
    () =>
      Effect.gen(function* () {
        const { browser, loopback, orgId, service, userId } = yield* Scene
        const { files, folder } = yield* packed
        assert.includeMembers(files, [
          "package.json",
          "README.md",
          "dist/index.js",
          "dist/index.d.ts",
          "dist/effect.js"
        ])
        assert.isTrue(files.every((path) => path.startsWith("dist/") || ["package.json", "README.md"].includes(path)))

        const sql = yield* SqlClient.SqlClient
        const [place] = yield* sql<{ database: string; workspace: number }>`
        SELECT current_database() AS database, workspace_id::int AS workspace FROM workspaces WHERE org_id = ${orgId}`
        const key = randomToken("user_key_")
        yield* sql`
        INSERT INTO api_credentials (user_id, kind, token_hash, hint, created_on)
        VALUES (${userId}, 'user_api_key', ${hashToken(key)}, ${key.slice(-4)}, now())`
        writeFileSync(join(folder, "page.js"), page(service.origin, key, place!.workspace))
        const code = yield* promise(async () => {
          const bundle = await rolldown({ input: join(folder, "page.js"), platform: "neutral" })
          const { output } = await bundle.generate({ format: "esm" })
          await bundle.close()
          assert.deepStrictEqual([output.length, output[0].imports, output[0].dynamicImports], [1, [], []])
          return output[0].code
        })
        const { page: tab } = yield* openTab(browser)
        const runInTab = (script: string) =>
          promise(async () => {
            await tab.setJavaScriptEnabled(true)
            await tab.goto(`http://127.0.0.1:${loopback.port}/callback`)
            await tab.addScriptTag({ type: "module", content: script })
            await until(tab, "globalThis.done")
            return tab.evaluate("done") as Promise<any>
          })
        const result = yield* runInTab(code)
        for (const outcome of [
          result,
          yield* runInTab(inWorker(code)),
          yield* runInTab(inWorker(AS_SERVICE_WORKER + code))
        ]) {
          assert.deepInclude(outcome, { title: "Sea", covers: ["cover.txt"], missing: true })
          assert.isAtLeast(outcome.sent, 100_000)
        }

        const { out } = yield* typed(
          asService(urlOf(inject("databaseUrl"), place!.database)),
          "types",
          String(result.app_id)
        )
        mkdirSync(join(folder, "node_modules/@millrace"), { recursive: true })
        symlinkSync(join(folder, "package"), join(folder, "node_modules/@millrace/client"))
        writeFileSync(join(folder, "books.ts"), out)
        writeFileSync(join(folder, "program.ts"), program)
        writeFileSync(
          join(folder, "tsconfig.json"),
          JSON.stringify({
            compilerOptions: { strict: true, module: "NodeNext", noEmit: true, types: [], lib: ["ES2022", "DOM"] },
            files: ["program.ts"]
          })
        )
        writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
        const tsc = join(root, "node_modules/typescript/bin/tsc")
        const compiled = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8", timeout: ENDS_MILLIS })
        assert.strictEqual(compiled.status, 0, compiled.stdout)
      }).pipe(Effect.scoped)
  )
})
