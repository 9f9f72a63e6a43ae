// Loads isolated-vm by its absolute path (the process's first argument): the permission model hides the folders in which Node would look
// for the name.
import { createRequire } from "node:module"
import type Ivm from "isolated-vm"

export const ivm: typeof Ivm = createRequire(process.argv[2]!)(process.argv[2]!)
