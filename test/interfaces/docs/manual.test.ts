// The documents of the repository at /docs: every one is served, in the side bar or linked from a page that is; no link leads nowhere.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { actionTypes } from "../../../src/domain/automations/actions/registry.ts"
import { triggers } from "../../../src/domain/automations/triggers/registry.ts"
import { fieldTypeTags } from "../../../src/domain/records/fields/registry.ts"
import { attachedFiles, pageFiles } from "../../../src/interfaces/docs/manualFiles.ts"
import { App, appLayer } from "../../support/app.ts"

const hrefsOf = (page: string) =>
  [...page.matchAll(/ (?:href|src)="((?!https?:|mailto:|\/(?!docs))[^"]+)"/g)].map(([, href]) => href!)
const idsOf = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))

layer(appLayer(), { excludeTestServices: true })("the manual at /docs", (it) => {
  it.effect("every document is reached from the overview, and every link leads to a page, a picture or a heading", () =>
    Effect.gen(function* () {
      const app = yield* App
      const pages = new Map<string, string>()
      const broken: Array<string> = []
      const open = Effect.fnUntraced(function* (path: string, from: string) {
        const cached = pages.get(path)
        if (cached !== undefined) return cached
        const reply = yield* app.call("GET", path)
        if (reply.status !== 200) broken.push(`${from}: ${path}`)
        pages.set(path, reply.headers.get("content-type")?.includes("html") === true ? reply.text : "")
        return pages.get(path)!
      })
      const waiting = ["/docs"]
      for (const path of waiting) {
        const page = yield* open(path, "")
        for (const href of hrefsOf(page)) {
          if (!/^[/#]/.test(href)) {
            broken.push(`${path}: ${href}`)
            continue
          }
          const [target = "", fragment] = href.split("#")
          const targetPath = target === "" ? path : target
          const isNew = !pages.has(targetPath)
          const targetPage = yield* open(targetPath, path)
          if (isNew && targetPage !== "") waiting.push(targetPath)
          if (fragment !== undefined && !idsOf(targetPage).has(fragment)) broken.push(`${path}: ${href}`)
        }
      }
      assert.deepStrictEqual(broken, [])
      const unreached = [...pageFiles().values(), ...attachedFiles().values()].filter((path) => !pages.has(path))
      assert.deepStrictEqual(
        unreached.filter((path) => !path.endsWith(".png")),
        []
      )
      const documents = readdirSync("docs").filter((name) => name.endsWith(".md") && name !== "conformance.md")
      for (const name of documents) assert.isTrue(pageFiles().has(`docs/${name}`), name)
    })
  )

  it.effect("a page has its title, its tables and its pictures; a file that is not served is no link", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { text } = yield* app.call("GET", "/docs/manual/console")
      assert.match(text, /<title>[^<]*console[^<]* · Millrace<\/title>/i)
      const picture = /<img src="(\/docs\/manual\/files\/docs\/images\/[\w-]+\.png)" alt="[^"]+"/.exec(text)?.[1]
      const image = yield* app.call("GET", picture!)
      assert.deepStrictEqual([image.status, image.headers.get("content-type")], [200, "image/png"])
      const { text: index } = yield* app.call("GET", "/docs/manual")
      assert.notInclude(index, "conformance.md")
      assert.include(index, 'href="/docs/manual/troubleshooting#runs"')
      for (const path of ["/docs/manual/conformance", "/docs/manual/files/package.json", "/docs/manual/../README"])
        assert.strictEqual((yield* app.call("GET", path)).status, 404, path)
    })
  )

  it.effect("the console's links lead to headings: of every trigger, action and type of field, and wherever else", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sources = readdirSync("console/src", { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".tsx"))
        .map((name) => readFileSync(join("console/src", name), "utf8"))
      const plain = sources.flatMap((text) => [...text.matchAll(/<DocsLink to="([^"]+)"/g)].map(([, to]) => to!))
      assert.isAtLeast(plain.length, 3)
      const targets = [
        ...plain,
        ...fieldTypeTags.map((type) => `fields#${type}`),
        ...Object.keys(triggers).map((type) => `triggers#${type}`),
        ...actionTypes.map((type) => `actions#${type}`)
      ]
      for (const target of targets) {
        const [name, fragment] = target.split("#")
        const { text } = yield* app.call("GET", `/docs/manual/${name}`)
        assert.isTrue(idsOf(text).has(fragment!), target)
      }
    })
  )

  it.effect("the search knows the words of every section", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { json } = yield* app.call("GET", "/docs/search.json")
      const entries = json as ReadonlyArray<{ path: string; title: string; words?: string }>
      const hits = entries.filter(({ words }) => words?.includes("pgbouncer") === true).map(({ path }) => path)
      assert.include(hits, "/docs/manual/operations#behind-pgbouncer")
      assert.isTrue(entries.some(({ path }) => path === "/docs/manual/recipes/07-digest"))
    })
  )
})
