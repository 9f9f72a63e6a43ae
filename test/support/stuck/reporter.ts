// Beside vitest's own reporter: names what has been running for 25 s, and again every 30 s, be it a test, a hook or a file that is
// being loaded. It lives in vitest's own process, so that an endless loop in a test does not keep it from speaking
// (one that begins at once is told as the hook before it, because vitest tells of beginnings with a delay).
import { SourceMap, type SourceMapping } from "node:module"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from "vitest/node"
import { AGAIN_MILLIS, type Place, STUCK_MILLIS, type Stuck, WORD } from "./settings.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const LINES = 12

const placeOf = (entity: TestCase | TestSuite | TestModule): string => {
  const file = relative(root, entity.type === "module" ? entity.moduleId : entity.module.moduleId)
  if (entity.type === "module") return file
  return `${file}${entity.location === undefined ? "" : `:${entity.location.line}`} > ${entity.fullName}`
}

interface Running {
  /** Of its file. */
  readonly id: string
  readonly what: string
  readonly since: number
  next: number
}

const moduleOf = (entity: TestCase | TestSuite | TestModule) => (entity.type === "module" ? entity : entity.module).id

export default class StuckReporter implements Reporter {
  /** What runs, and when to speak of it next. */
  readonly #running = new Map<string, Running>()
  #timer: NodeJS.Timeout | undefined
  #vitest: Vitest | undefined

  onInit(vitest: Vitest) {
    this.#vitest = vitest
  }
  onTestRunStart() {
    this.#timer = setInterval(() => this.#look(performance.now()), 1_000).unref()
  }
  onTestRunEnd() {
    clearInterval(this.#timer)
    this.#running.clear()
  }

  onTestModuleQueued(module: TestModule) {
    this.#begin(`load ${module.id}`, module, `loading ${placeOf(module)}`)
  }
  onTestModuleCollected(module: TestModule) {
    this.#running.delete(`load ${module.id}`)
  }
  /** Whatever of it was not told the end of, as a hook behind a test that failed. */
  onTestModuleEnd(module: TestModule) {
    for (const [key, { id }] of this.#running) if (id === module.id) this.#running.delete(key)
  }
  onTestCaseReady(test: TestCase) {
    this.#begin(test.id, test, placeOf(test))
  }
  onTestCaseResult(test: TestCase) {
    this.#running.delete(test.id)
  }
  onHookStart({ entity, name }: Parameters<NonNullable<Reporter["onHookStart"]>>[0]) {
    this.#begin(`${name} ${entity.id}`, entity, `${name} of ${placeOf(entity)}`)
  }
  onHookEnd({ entity, name }: Parameters<NonNullable<Reporter["onHookEnd"]>>[0]) {
    this.#running.delete(`${name} ${entity.id}`)
  }

  onUserConsoleLog({ content }: Parameters<NonNullable<Reporter["onUserConsoleLog"]>>[0]) {
    if (!content.startsWith(WORD)) return
    const { fibers, file }: Stuck = JSON.parse(content.slice(WORD.length))
    const name = relative(root, file)
    const counts = new Map<string, number>()
    for (const fiber of fibers) {
      const chain = fiber.flatMap((place) => this.#written(place)).join(" > ")
      if (chain !== "") counts.set(chain, (counts.get(chain) ?? 0) + 1)
    }
    const lines = [...counts]
      .map(([chain, count]) => `    ${chain}${count === 1 ? "" : ` (${count} fibers)`}`)
      .sort((a, b) => Number(b.includes(name)) - Number(a.includes(name)))
    const remainder = lines.length > LINES ? [`    and ${lines.length - LINES} other places`] : []
    const what = lines.length === 0 ? "no effect waits there; look at its promises" : "its effects wait at"
    console.error([`${name}: ${what}`, ...lines.slice(0, LINES), ...remainder].join("\n"))
  }

  #begin(key: string, entity: TestCase | TestSuite | TestModule, what: string) {
    const since = performance.now()
    this.#running.set(key, { id: moduleOf(entity), what, since, next: since + STUCK_MILLIS })
  }

  #look(now: number) {
    for (const entry of this.#running.values()) {
      if (now < entry.next) continue
      entry.next = now + AGAIN_MILLIS
      console.error(`still running after ${Math.round((now - entry.since) / 1000)} s: ${entry.what}`)
    }
  }

  /** The place as it was written, if it is one of ours. */
  #written({ column, line, url }: Place): ReadonlyArray<string> {
    const path = url.startsWith("file:") ? fileURLToPath(url) : url
    const file = relative(root, path)
    if (file.startsWith("..") || file.includes("node_modules")) return []
    const environments = Object.values(this.#vitest?.vite.environments ?? {})
    const map = environments
      .map(({ moduleGraph }) => moduleGraph.getModuleById(path)?.transformResult?.map)
      .find(Boolean)
    const entry: Partial<SourceMapping> =
      map && "mappings" in map ? new SourceMap(map as never).findEntry(line - 1, column) : {}
    return [`${file}:${entry.originalLine === undefined ? line : entry.originalLine + 1}`]
  }
}
