// Resident memory of a process in MiB.
import { readFileSync } from "node:fs"

export const residentOf = (pid: number) => {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return Number(line?.[1] ?? Number.NaN) / 1024
}
