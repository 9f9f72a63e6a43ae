// Bundles the two programs of a script process, each as one piece of JavaScript: the runner (./runner.ts), and the script environment with
// the libraries of developer-api.md 8.2 (./realm). A process that starts from them reads no source and has nothing to strip, which is a
// third of its start.
import { readFile } from "node:fs/promises"
import { runBuilder } from "../../../bin/parts/builder.js"
import { kept, keptFolder, shippedPath } from "../../../bin/parts/kept.js"

export interface Programs {
  /** CommonJS, given to Node on standard input. */
  readonly runner: string
  /** Script that evaluates to the exports of realm/index.ts. */
  readonly realm: string
}

const make = (draft: string): Promise<void> =>
  runBuilder(process.execPath, "src/platform/sandbox/buildScripts.ts", draft)

/** Path of both programs; a package and an image ship them, since they have no libraries to bundle. */
const bundlePath = async (): Promise<string> =>
  shippedPath("scripts.json") ??
  kept({ folder: keptFolder("scripts"), name: "millrace-scripts", suffix: ".json", make })

let pendingPrograms: Promise<Programs> | undefined

/**
 * Bundles once for each release of a clone, in about a second, off the event loop; after a failure, as on a full disk, the next caller tries
 * again.
 */
export const programs = (): Promise<Programs> => {
  pendingPrograms ??= bundlePath()
    .then((path) => readFile(path, "utf8"))
    .then((text) => JSON.parse(text) as Programs)
    .catch((error: unknown) => {
      pendingPrograms = undefined
      throw error
    })
  return pendingPrograms
}
