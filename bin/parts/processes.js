// Reads the number of service processes that run side by side on this machine (PROCESSES). They share its port. Each has another one on the
// loopback address, on which the launcher sees that it is ready; and each process reports the metrics of all.
import { freePort } from "./os.js"

const MOST = 64
/** Systems that spread connections over all processes listening at one port; elsewhere one of them would get all, or none may share. */
const SHARING = ["linux", "freebsd", "sunos", "aix"]

/** Number of processes. Throws if PROCESSES is not valid, or this system cannot share a port. @param {Record<string, string>} env */
export const processesOf = (env) => {
  const countText = env["PROCESSES"] ?? "1"
  const count = /^\d{1,2}$/.test(countText) ? Number(countText) : 0
  if (count < 1 || count > MOST) throw new Error(`PROCESSES: expected a whole number from 1 to ${MOST}`)
  if (count > 1 && !SHARING.includes(process.platform))
    throw new Error(`PROCESSES: several processes can share a port on Linux and FreeBSD, not on ${process.platform}`)
  return count
}

/**
 * Variables of each process beyond the common environment, and its name in files; the first process always exists.
 * @param {number} count
 * @returns {Promise<{ name: string, file: string, env: Record<string, string>, port?: number }[]>}
 */
export const processPlaces = async (count) => {
  if (count === 1) return [{ name: "The service", file: "service", env: {} }]
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  return ports.map((port, index) => ({
    name: `The service (process ${index + 1} of ${count})`,
    file: index === 0 ? "service" : `service-${index + 1}`,
    env: { PROCESS_NUMBER: String(index + 1), PROCESS_PORTS: ports.join(",") },
    port
  }))
}
