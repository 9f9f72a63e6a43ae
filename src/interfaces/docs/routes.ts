// `/docs`: guides, manual and reference, made once from the repository's documents and the description of the API, and kept (decisions P10:
// a policy, no framing). What is the reader's own comes apart, at /docs/mine.json, so that pages are the same for everybody.
import { randomBytes } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { descriptionText } from "../../api/descriptionText.ts"
import { Apps } from "../../domain/records/apps/Apps.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { answerCached, cacheContent, once } from "../../platform/primitives/cachedContent.ts"
import { served } from "../web/assets.ts"
import { noStore } from "../web/sharedAnswers.ts"
import { callerOf, Visitors } from "../web/Visitors.ts"
import { attachments } from "./attachments.ts"
import { catalogueOf } from "./describedApi.ts"
import { docsScript, docsStyle } from "./docsAssets.ts"
import { type DocsPage, docsPolicy, framed, NONCE } from "./docsFrame.ts"
import { groupPage, overview, type ShownLimits, tablePages, typePage } from "./docsPages.ts"
import { docsPageOf, textPages } from "./guideTexts.ts"
import { tableEntries, textEntries } from "./searchIndex.ts"
import { sideBarOf } from "./sideBar.ts"

const makeBook = (limits: ShownLimits) => {
  const catalogue = catalogueOf(JSON.parse(descriptionText()))
  const texts = textPages()
  const shelves = sideBarOf(catalogue, texts)
  const tables = tablePages(catalogue, limits)
  const pageByPath = new Map<string, string>()

  const find = (path: string): DocsPage | undefined => {
    if (path === "/docs") return overview(catalogue, shelves[0]!.pages)
    const text = texts.get(path)
    if (text !== undefined) return docsPageOf(text)
    const [, , first, second] = path.split("/")
    if (first === "types") return typePage(catalogue, second ?? "")
    const group = catalogue.groups.find(({ slug }) => slug === first)
    return group !== undefined && second === undefined ? groupPage(group) : tables.find((one) => one.path === path)
  }

  /** Only what exists is kept, so that whoever asks for many names fills no memory. */
  const pageAt = (path: string) => {
    const cachedPage = pageByPath.get(path)
    if (cachedPage !== undefined) return cachedPage
    const docsPage = find(path)
    const kept = docsPage === undefined ? undefined : framed(shelves, docsPage)
    if (kept !== undefined) pageByPath.set(path, kept)
    return kept
  }

  /** Made once, a page at a time, so that other requests have their turn between. */
  const search = Effect.map(
    Effect.forEach(texts.values(), (text) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => textEntries(text))
      )
    ),
    (entries) => cacheContent([...tableEntries(catalogue, tables), ...entries.flat()])
  )
  return { pageAt, search: Effect.runSync(Effect.cached(search)) }
}

const noSuchPage = HttpServerResponse.text("There is no such page of the documentation.", { status: 404 })

const pathOf = ({ url }: HttpServerRequest.HttpServerRequest) => {
  const queryStart = url.indexOf("?")
  return queryStart < 0 ? url : url.slice(0, queryStart)
}

const Pages = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const visitors = yield* Visitors
    const apps = yield* Apps
    const book = once(() => makeBook(config))

    const page = Effect.gen(function* () {
      const path = pathOf(yield* HttpServerRequest.HttpServerRequest)
      const kept = book().pageAt(path)
      if (kept === undefined) return noSuchPage
      const nonce = randomBytes(16).toString("base64")
      return HttpServerResponse.text(kept.replace(NONCE, nonce), {
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": docsPolicy(nonce) }
      })
    })

    /** Ids that examples may hold: of an app that the reader reaches. */
    const answerOwnIds = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { current, person, session } = yield* visitors.find(request)
      if (current === undefined || person === undefined || session === undefined)
        return HttpServerResponse.jsonUnsafe({}, { headers: noStore })
      const [app] = yield* apps.list(callerOf({ person, session }, current), null)
      const appIds = app === undefined ? {} : { app_id: app.app_id, workspace_id: app.workspace_id }
      return HttpServerResponse.jsonUnsafe({ user_id: current.user_id, ...appIds }, { headers: noStore })
    })

    const attachment = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
      const attached = attachments().get(pathOf(request))
      return attached === undefined
        ? noSuchPage
        : answerCached(attached.content(), request.headers["if-none-match"], attached.contentType)
    })

    yield* router.add("GET", "/docs/mine.json", answerOwnIds)
    yield* router.add("GET", "/docs/manual/files/*", attachment)
    yield* router.add(
      "GET",
      "/docs/search.json",
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        return answerCached(yield* book().search, headers["if-none-match"], "application/json", "public, no-cache")
      })
    )
    // And /docs itself.
    yield* router.add("GET", "/docs/*", page)
  })
)

export const DocsRoutes = Layer.merge(Pages, served([docsStyle, docsScript]))
