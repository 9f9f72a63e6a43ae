// Words for how a step of a test went.

import { resultWords as texts } from "../../../../texts/automations/editorSampleWords.ts"
import type { LogEntry } from "../../../runs/runQueries.ts"

export const resultWords: Readonly<
  Record<
    LogEntry["status"],
    { readonly sign: string; readonly word: string; readonly tone: "good" | "bad" | "warn" | "" }
  >
> = {
  success: { sign: "✓", word: texts.success.word, tone: "good" },
  failure: { sign: "!", word: texts.failure.word, tone: "bad" },
  skipped: { sign: "–", word: texts.skipped.word, tone: "" },
  in_progress: { sign: "…", word: texts.in_progress.word, tone: "warn" },
  cancelled: { sign: "×", word: texts.cancelled.word, tone: "" }
}
