// A path into an answer, typed as keys with slashes between them (model/answerPath.ts).
import { useState } from "react"
import { type AnswerPath, pathOf, pathText } from "../model/answerPath.ts"
import type { Described } from "./described.ts"

interface PathInputProps extends Described {
  readonly value: unknown
  readonly onChange: (value: AnswerPath | undefined) => void
}

export const PathInput = ({ onChange, value, ...described }: PathInputProps) => {
  const path = Array.isArray(value) ? (value as AnswerPath) : []
  // Keeps what is being typed: a slash at the end is no key yet.
  const [typed, setTyped] = useState<string>()
  const shownPath = typed !== undefined && pathText(pathOf(typed)) === pathText(path) ? typed : pathText(path)
  return (
    <input
      {...described}
      type="text"
      autoComplete="off"
      spellCheck={false}
      placeholder="data/items"
      value={shownPath}
      onChange={({ target }) => {
        setTyped(target.value)
        const keys = pathOf(target.value)
        onChange(keys.length === 0 ? undefined : keys)
      }}
    />
  )
}
