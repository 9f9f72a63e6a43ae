// Format in which a file is read, as detected: encoding, separator, decimal sign, order of day and month, time zone; the reader may correct it.
import { useId } from "react"
import { separators } from "../../../../../src/domain/imports/csvWindow.ts"
import { encodings } from "../../../../../src/domain/imports/encodings.ts"
import { formatForm as texts } from "../../../texts/records/csv.ts"
import type { Choices, Preview } from "./importChoices.ts"

interface FormatFormProps {
  readonly format: Preview["format"]
  readonly change: (format: Choices["format"]) => void
}

type Options = Readonly<Record<string, string>>

export const FormatForm = ({ change, format }: FormatFormProps) => {
  const id = useId()
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones: Options = { UTC: "UTC", ...(ownZone === "UTC" ? {} : { [ownZone]: ownZone }) }
  const select = (name: string, label: string, value: string, options: Options, chosen: (value: string) => object) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <select
        id={`${id}-${name}`}
        value={value}
        onChange={({ target }) => change(chosen(target.value) as Choices["format"])}
      >
        {Object.entries(options).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
  return (
    <div className="inline import-format">
      {select("encoding", texts.encoding, format.encoding, encodings, (encoding) => ({ encoding }))}
      {select("separator", texts.separator, format.separator, separators, (separator) => ({ separator }))}
      {select("decimal", texts.decimalMeans, format.decimal, { ".": "1234", ",": "1.234" }, (decimal) => ({ decimal }))}
      {select(
        "days",
        texts.dateMeans,
        String(format.day_first),
        { false: texts.fourthOfMarch, true: texts.thirdOfApril },
        (dayFirst) => ({ day_first: dayFirst === "true" })
      )}
      {select("zone", texts.timesWithoutAZone, format.time_zone, zones, (time_zone) => ({ time_zone }))}
    </div>
  )
}
