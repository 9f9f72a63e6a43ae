// Keeps files that are built from this release's sources for the next start, named by everything that can be in them.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { root } from "./environment.js"
import { cacheDir, takePlace } from "./os.js"

const FOLDERS = ["activities", "bin/parts", "src", "workflows"]
/** Folder of what a package or an image ships (pack.js, deploy/Dockerfile); a clone has none. */
const shippedFolder = join(root, "programs")
const KEEP_MILLIS = 7 * 86_400_000

/** Path of a built file or folder that a package or an image ships; undefined in a clone. @param {string} name */
export const shippedPath = (name) => {
  const path = join(shippedFolder, name)
  return existsSync(path) ? path : undefined
}

/** Folder shared by all clones of a person, outside of them. @param {string} name */
export const keptFolder = (name) => {
  const preferred = join(cacheDir(), name)
  try {
    mkdirSync(preferred, { recursive: true })
    return preferred
  } catch {
    // Uses a fresh folder: in one that others may write to, somebody could have put a file first.
    return mkdtempSync(join(tmpdir(), "millrace-"))
  }
}

/** @param {string} path of a folder or a file */
const filesOf = (path) =>
  statSync(join(root, path)).isFile()
    ? [join(root, path)]
    : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))

/** @type {Map<ReadonlyArray<string>, string>} */
const ids = new Map()

/** Hash of the sources and of the packages' versions; takes some 20 ms. @param {ReadonlyArray<string>} sources */
const releaseId = (sources) => {
  const cachedId = ids.get(sources)
  if (cachedId !== undefined) return cachedId
  const hash = createHash("sha256")
  for (const file of [...sources.flatMap(filesOf).sort(), join(root, "package-lock.json")]) {
    hash.update(relative(root, file)).update(readFileSync(file))
  }
  const id = hash.digest("hex").slice(0, 24)
  ids.set(sources, id)
  return id
}

/** Files and folders that this process is making, by path. @type {Map<string, Promise<string>>} */
const making = new Map()

/**
 * File or folder of that name for this release, made if it is missing. Those of other releases are removed after a week: a process of
 * theirs may be about to start.
 * @param {{ folder: string, name: string, suffix?: string, sources?: ReadonlyArray<string>, make: (draft: string) => Promise<void> }} options
 * sources: all that can be in it, folders and files; make: writes what it makes to the path that it is given
 * @returns {Promise<string>} its path
 */
export const kept = async ({ folder, name, suffix = "", sources = FOLDERS, make }) => {
  const path = join(folder, `${name}-${releaseId(sources)}${suffix}`)
  const pendingBuild = making.get(path)
  if (pendingBuild !== undefined) return pendingBuild
  if (existsSync(path)) return path
  const newBuild = makeKept(folder, name, path, make).finally(() => making.delete(path))
  making.set(path, newBuild)
  return newBuild
}

/** @param {string} folder @param {string} name @param {string} path @param {(draft: string) => Promise<void>} make */
const makeKept = async (folder, name, path, make) => {
  mkdirSync(folder, { recursive: true })
  const draft = `${path}.${process.pid}`
  try {
    await make(draft)
    await takePlace(draft, path)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process may have been first.
    if (!existsSync(path)) throw error
  }
  for (const other of readdirSync(folder)) {
    const old = join(folder, other)
    if (!other.startsWith(`${name}-`) || old === path) continue
    const modifiedMillis = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - modifiedMillis > KEEP_MILLIS) rmSync(old, { recursive: true, force: true })
  }
  return path
}
