// Resident memory of a process in MiB.
import { readFileSync } from "node:fs"

export const residentOf = (pid: number) => {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return Number(match?.[1] ?? Number.NaN) / 1024
}
