// Files that are made of this release's sources and kept for the next start, named by everything that can be in them.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { root } from "./environment.js"
import { cacheDir } from "./os.js"

const FOLDERS = ["activities", "bin/parts", "src", "workflows"]
const KEEP_MILLIS = 7 * 86_400_000

/** A folder for what all clones of a person may share, outside of them. @param {string} name */
export const keptFolder = (name) => {
  const preferred = join(cacheDir(), name)
  try {
    mkdirSync(preferred, { recursive: true })
    return preferred
  } catch {
    // In a folder that others may write to, somebody could have been there first.
    return mkdtempSync(join(tmpdir(), "millrace-"))
  }
}

/** @param {string} folder */
const filesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** @type {string | undefined} */
let id

/** Of the sources and the versions of the packages; some 20 ms. */
const releaseId = () => {
  if (id === undefined) {
    const hash = createHash("sha256")
    for (const file of [...FOLDERS.flatMap(filesOf).sort(), join(root, "package-lock.json")]) {
      hash.update(relative(root, file)).update(readFileSync(file))
    }
    id = hash.digest("hex").slice(0, 24)
  }
  return id
}

/**
 * The file or folder of that name for this release, made where it is not there yet. Those of other releases go after a week: a process
 * of theirs may be about to start.
 * @param {{ folder: string, name: string, suffix?: string, make: (draft: string) => Promise<void> }} options make: writes
 * what it makes to the path that it is given
 * @returns {Promise<string>} its path
 */
export const kept = async ({ folder, name, suffix = "", make }) => {
  const path = join(folder, `${name}-${releaseId()}${suffix}`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const draft = `${path}.${process.pid}`
  try {
    await make(draft)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process may have been first.
    if (!existsSync(path)) throw error
  }
  for (const other of readdirSync(folder)) {
    const old = join(folder, other)
    if (!other.startsWith(`${name}-`) || old === path) continue
    const made = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - made > KEEP_MILLIS) rmSync(old, { recursive: true, force: true })
  }
  return path
}
