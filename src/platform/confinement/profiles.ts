// Profile of a confined Node (decisions P9): its program, the libraries that the loader maps, and the folders named.
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import type { ConfinementProfile } from "./ConfinementProfile.ts"
import { insiders } from "./startCommands.ts"
import { withLibraries } from "./systemPrograms.ts"

const MIB = 1024 * 1024

/** Limits alone: the profile lacks all files that a process with its own root needs. */
export const bare: ConfinementProfile = {
  name: "node",
  read: [],
  scratchMiB: 0,
  nests: false,
  // Counts threads, too: Node has eleven, isolated-vm one for each core.
  processes: 32 + availableParallelism(),
  files: 128,
  fileBytes: 0,
  // Counts reserved memory: V8 reserves half a gibibyte for each isolate's code, of which there are at most four, and its heap.
  dataBytes: 5120 * MIB
}

/** File that Node reads to distinguish musl from glibc. */
const SYSTEM = ["/etc/alpine-release"]

/** Profile of a Node that may read the folders. Fails if the libraries cannot be found. */
export const nodeProfile = async (folders: ReadonlyArray<string>): Promise<ConfinementProfile> => {
  const programs = await withLibraries([process.execPath, ...insiders])
  return { ...bare, read: [...programs, ...SYSTEM.filter((path) => existsSync(path)), ...folders] }
}
