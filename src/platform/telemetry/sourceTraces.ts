// Maps traces of errors to the sources, instead of the programs that were bundled from them (bin/parts/build.js). Node's own support reads
// the maps of everything at every start, a tenth of its processor time; here a map is read when a trace goes through its program.
import { existsSync, readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { BoundedMap } from "../primitives/BoundedMap.ts"

const PLACES_KNOWN = 10_000

const maps = new Map<string, SourceMap | undefined>()

/** Reads a source map; undefined if it cannot be read: a trace without its sources is better than none. */
const readMap = (program: string): SourceMap | undefined => {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${program}.map`), "utf8")))
  } catch {
    return undefined
  }
}

const mapOf = (program: string): SourceMap | undefined => {
  if (!maps.has(program)) maps.set(program, readMap(program))
  return maps.get(program)
}

/**
 * Source positions that have been resolved, kept because Node writes a trace for each error with which a socket ends, and a busy process
 * has thousands of them.
 */
const sourcePositions = new BoundedMap<string, string>(PLACES_KNOWN)

const placeOf = (program: string, line: number, column: number): string => {
  const builtPosition = `${program}:${line}:${column}`
  const cachedPosition = sourcePositions.get(builtPosition)
  if (cachedPosition !== undefined) return cachedPosition
  const entry = mapOf(program)?.findEntry(line - 1, column - 1)
  const sourcePosition =
    entry === undefined || !("originalSource" in entry)
      ? builtPosition
      : `${new URL(entry.originalSource, program).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  sourcePositions.set(builtPosition, sourcePosition)
  return sourcePosition
}

const located = (site: NodeJS.CallSite, folder: string): string => {
  const [program, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()]
  if (line === null || column === null || program?.startsWith(folder) !== true) return String(site)
  return String(site).replace(`${program}:${line}:${column}`, placeOf(program, line, column))
}

/** First line of a trace, as Node writes it: its own errors show their code. */
const headline = (error: Error & { readonly code?: unknown }): string => {
  try {
    const text = Error.prototype.toString.call(error)
    const { code, name } = error
    return typeof code === "string" && code.startsWith("ERR_") && text.startsWith(`${name}: `)
      ? `${name} [${code}]${text.slice(name.length)}`
      : text
  } catch {
    return "<error>"
  }
}

/** Maps traces to the sources; does nothing if the sources run as they are. @param program the file that was started */
export const traceSources = (program = process.argv[1] ?? ""): void => {
  if (!existsSync(`${program}.map`)) return
  const folder = `${pathToFileURL(dirname(program)).href}/`
  Error.prepareStackTrace = (error, sites) =>
    [headline(error), ...sites.map((site) => `    at ${located(site, folder)}`)].join("\n")
}
