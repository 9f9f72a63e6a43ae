// Program of the thread that processes long texts (decisions P8).
import { serve } from "../primitives/workerThreadJobs.ts"
import { readable } from "./markup.ts"
import { sanitized } from "./sanitize.ts"

const works = { sanitized, readable }

export interface TextJob {
  readonly work: keyof typeof works
  readonly text: string
}

serve(({ text, work }: TextJob) => works[work](text))
