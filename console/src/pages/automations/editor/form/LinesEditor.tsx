// A list of short texts, such as dates: one a line.
import type { Described } from "./described.ts"

interface LinesEditorProps extends Described {
  readonly value: unknown
  /** Called with the entries; undefined where there are none. */
  readonly onChange: (value: ReadonlyArray<string> | undefined) => void
}

const ROWS = 4

export const LinesEditor = ({ onChange, value, ...described }: LinesEditorProps) => {
  const entries = Array.isArray(value) ? (value as ReadonlyArray<string>) : []
  const commit = (text: string) => {
    const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))
    onChange(lines.length === 0 ? undefined : lines)
  }
  // The typed text is taken over when the field is left: a line that is only begun is no entry.
  return (
    <textarea
      {...described}
      key={entries.join("\n")}
      rows={ROWS}
      defaultValue={entries.join("\n")}
      onBlur={({ target }) => commit(target.value)}
    />
  )
}
