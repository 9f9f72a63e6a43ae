// Prepares the service's database before the service starts, in a process of its own: only that process and the launcher know the schema
// owner's address, never the service (issue "isolation").
import { spawn } from "node:child_process"
import { home } from "./environment.js"
import { relay, stream } from "./lines.js"
import { compileCache } from "./os.js"
import { programOf } from "./programs.js"

/** Role that the service works as in the embedded Postgres. */
export const SERVICE_ROLE = "millrace_service"

/** Address of the same database for another role. @param {string} url @param {string} name @param {string} password */
export const urlAs = (url, name, password) => {
  const other = new URL(url)
  other.username = name
  other.password = password
  return other.href
}

/**
 * Prepares roles, schema and rights (src/prepare.ts).
 * @param {{ node: string, env: Record<string, string>, signal?: AbortSignal }} options env: DATABASE_URL of the service, and
 * DATABASE_SUPERUSER_URL or DATABASE_OWNER_URL
 * @returns {Promise<void>}
 */
export const prepareDatabase = async ({ node, env, signal }) => {
  const program = await programOf(node, "src/prepare.ts")
  return new Promise((resolve, reject) => {
    const child = spawn(node, [program], {
      cwd: home,
      env: { ...compileCache(), ...env },
      stdio: ["ignore", "inherit", stream()],
      ...(signal === undefined ? {} : { signal })
    })
    relay(child.stderr, "prepare", "ERROR")
    child.once("error", reject)
    child.once("close", (code) => {
      if (code === 0) resolve()
      else reject(new Error("The database could not be prepared; the reason is above."))
    })
  })
}
