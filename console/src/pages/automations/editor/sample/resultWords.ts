// Words for how a step of a test went.
import type { LogEntry } from "../../../runs/runQueries.ts"

export const resultWords: Readonly<
  Record<
    LogEntry["status"],
    { readonly sign: string; readonly word: string; readonly tone: "good" | "bad" | "warn" | "" }
  >
> = {
  success: { sign: "✓", word: "Done", tone: "good" },
  failure: { sign: "!", word: "Failed", tone: "bad" },
  skipped: { sign: "–", word: "Not carried out", tone: "" },
  in_progress: { sign: "…", word: "Running", tone: "warn" },
  cancelled: { sign: "×", word: "Cancelled", tone: "" }
}
