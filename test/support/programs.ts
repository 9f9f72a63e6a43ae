// The programs of the service as users start them: put together once for a run, by its global setup (bin/parts/programs.js).
import { join } from "node:path"
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder that holds them. */
    readonly programs: string
  }
}

/** What stands for `src/<name>.ts`. */
export const program = (name: "cli" | "main") => join(inject("programs"), `${name}.mjs`)
