// Allows one launcher per data directory: a lock file with pid and start time. Neither a killed launcher nor a reused pid keeps the next
// launcher out.
import { linkSync, renameSync, rmSync } from "node:fs"
import { identify, isAlive, readJson, writeWhole } from "./os.js"

/**
 * Takes the lock, or returns its holder.
 * @param {string} file
 * @returns {import("./os.js").Identity | undefined} the living holder; undefined when the lock is ours
 */
export const takeLock = (file) => {
  const ownFile = `${file}.${process.pid}`
  writeWhole(ownFile, JSON.stringify(identify(process.pid)))
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      try {
        linkSync(ownFile, file)
        return undefined
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error
      }
      const holder = readJson(file)
      if (holder !== undefined && isAlive(holder)) return holder
      removeStale(file, holder)
    }
    throw new Error(`The lock ${file} cannot be taken.`)
  } finally {
    rmSync(ownFile, { force: true })
  }
}

/** Moves the stale lock away, and puts it back if another launcher was quicker. @param {string} file @param {any} stale */
const removeStale = (file, stale) => {
  const aside = `${file}.${process.pid}.stale`
  try {
    renameSync(file, aside)
    const moved = readJson(aside)
    if (moved?.pid !== stale?.pid || moved?.start !== stale?.start) linkSync(aside, file)
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? "")) throw error
  }
  rmSync(aside, { force: true })
}
