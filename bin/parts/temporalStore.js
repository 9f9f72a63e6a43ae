// Sets the embedded Temporal's database aside if another release of the server made it: a server changes no tables in it and fails at what
// they lack. Running work is started again from Postgres (docs/operations.md, "Where the data is").
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { writeWhole } from "./os.js"

/** Endings of a database's files: itself, and those that SQLite keeps next to it. */
const FILES = ["", "-wal", "-shm"]

/** @param {string} database */
const markOf = (database) => join(dirname(database), "server-version")

/** Version of the server that made the database, if it is known. @param {string} database @returns {string | undefined} */
const madeBy = (database) =>
  existsSync(markOf(database)) ? readFileSync(markOf(database), "utf8").trim() || undefined : undefined

/**
 * Leaves a database that this server can work with, or none.
 * @param {string} database @param {string} server version of the server @param {(message: string) => void} say
 */
export const fitDatabase = (database, server, say) => {
  const maker = madeBy(database)
  if (maker === server) return
  if (existsSync(database)) {
    const former = join(dirname(database), "former.db")
    for (const suffix of FILES) {
      rmSync(`${former}${suffix}`, { force: true })
      if (existsSync(`${database}${suffix}`)) renameSync(`${database}${suffix}`, `${former}${suffix}`)
    }
    say(
      `Temporal's database was made by ${maker === undefined ? "another release of its server" : `its server ${maker}`}, and this one is ${server}: it is kept as ${former}, and what runs or waits is started again from Postgres`
    )
  }
  writeWhole(markOf(database), `${server}\n`)
}
