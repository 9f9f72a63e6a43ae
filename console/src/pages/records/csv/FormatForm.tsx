// Shows how the bytes of a file are read, its detected encoding and separator, and lets the reader correct them.
import { useId } from "react"
import { type CsvFormat, type Separator, separators } from "./csvFile.ts"
import { type Encoding, encodings } from "./encodings.ts"

interface FormatFormProps {
  readonly format: CsvFormat
  /** Texts of the file that show whether the encoding is right. */
  readonly letters: ReadonlyArray<string>
  /** True while the import is running. */
  readonly fixed: boolean
  readonly change: (format: Partial<CsvFormat>) => void
}
export const FormatForm = ({ change, fixed, format, letters }: FormatFormProps) => {
  const id = useId()
  const isUnicode = format.encoding.startsWith("utf-")
  return (
    <>
      <div className="inline">
        <div className="field">
          <label htmlFor={`${id}-encoding`}>Encoding</label>
          <select
            id={`${id}-encoding`}
            disabled={fixed}
            value={format.encoding}
            onChange={({ target }) => change({ encoding: target.value as Encoding })}
          >
            {Object.entries(encodings).map(([encoding, words]) => (
              <option key={encoding} value={encoding}>
                {words}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-separator`}>Separator</label>
          <select
            id={`${id}-separator`}
            disabled={fixed}
            value={format.separator}
            onChange={({ target }) => change({ encoding: format.encoding, separator: target.value as Separator })}
          >
            {Object.entries(separators).map(([separator, words]) => (
              <option key={separator} value={separator}>
                {words}
              </option>
            ))}
          </select>
        </div>
      </div>
      {!isUnicode && (
        <p className="note" role="status">
          The file is not Unicode. It is read as {encodings[format.encoding]}
          {letters.length > 0 && <>: {letters.map((text) => `“${text.slice(0, 40)}”`).join(", ")}</>}. Choose another
          encoding if letters are wrong.
        </p>
      )}
    </>
  )
}
