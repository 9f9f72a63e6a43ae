// The console as it was built (bin/parts/console.js): one page and its assets, read once and served from memory.
import { readdir, readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { consoleFolder } from "../../../bin/parts/console.js"

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}

interface Asset {
  readonly body: Uint8Array
  readonly type: string
}

export interface BuiltConsole {
  readonly page: string
  /** Assets by file name; a name changes with its content. */
  readonly assets: ReadonlyMap<string, Asset>
}

const read = async (): Promise<BuiltConsole> => {
  const folder = await consoleFolder(process.execPath)
  const names = await readdir(join(folder, "assets"))
  const assets = names.map(async (name): Promise<[string, Asset]> => {
    const body = await readFile(join(folder, "assets", name))
    return [name, { body, type: types[extname(name)] ?? "application/octet-stream" }]
  })
  return { page: await readFile(join(folder, "index.html"), "utf8"), assets: new Map(await Promise.all(assets)) }
}

let consoleBuild: Promise<BuiltConsole> | undefined

/** Built where nobody has done so yet, off the event loop; asked for again after a failure. */
export const builtConsole = (): Promise<BuiltConsole> => {
  consoleBuild ??= read().catch((error) => {
    consoleBuild = undefined
    throw error
  })
  return consoleBuild
}
