// The program of the thread in which long texts are worked on (decisions P8).
import { serve } from "../primitives/apartThread.ts"
import { readable } from "./markup.ts"
import { sanitized } from "./sanitize.ts"

const works = { sanitized, readable }

export interface TextJob {
  readonly work: keyof typeof works
  readonly text: string
}

serve(({ text, work }: TextJob) => works[work](text))
