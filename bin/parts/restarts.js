// Records the recent restarts of embedded parts, next to the process ids: for the launcher's alert, `doctor` and the metrics.
import { join } from "node:path"
import { readJson, writeWhole } from "./os.js"

/** Number of restarts within a time (ms) that raises an alert (decisions P12). */
export const ALERT = { restarts: 3, within: 600_000 }

/** @param {string} dataDir */
const restartsFile = (dataDir) => join(dataDir, "run", "restarts.json")

/**
 * Times of the restarts in the last ten minutes, by part.
 * @param {string} dataDir @param {number} now milliseconds since 1970
 * @returns {Record<string, number[]>}
 */
export const recentRestarts = (dataDir, now) =>
  Object.fromEntries(
    Object.entries(readJson(restartsFile(dataDir)) ?? {}).map(([part, instants]) => [
      part,
      /** @type {number[]} */ (instants).filter((at) => now - at <= ALERT.within)
    ])
  )

/**
 * Records one restart.
 * @param {string} dataDir @param {string} part @param {number} now
 * @returns {number} how many there have been of it lately
 */
export const recordRestart = (dataDir, part, now) => {
  const restartsByPart = recentRestarts(dataDir, now)
  const instants = [...(restartsByPart[part] ?? []), now]
  writeWhole(restartsFile(dataDir), JSON.stringify({ ...restartsByPart, [part]: instants }))
  return instants.length
}
