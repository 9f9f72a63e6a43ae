// A value as JSON: what has no control of its own. It is taken over as soon as it can be read.
import { useState } from "react"
import { jsonValue as texts } from "../../../../texts/automations/editorForm.ts"
import { CodeArea } from "./CodeArea.tsx"

interface JsonValueProps {
  readonly label: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}
const textOf = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2))

export const JsonValue = ({ label, onChange, value }: JsonValueProps) => {
  const [typed, setTyped] = useState<string>()
  const [mistake, setMistake] = useState("")
  const change = (text: string) => {
    if (text === textOf(value)) return
    setTyped(text)
    try {
      onChange(text.trim() === "" ? undefined : JSON.parse(text))
      setMistake("")
    } catch (error) {
      setMistake(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <CodeArea
        label={texts.labelAsJson(label)}
        language="json"
        value={typed ?? textOf(value)}
        onChange={change}
        invalid={mistake !== ""}
      />
      {mistake !== "" && <small className="error-line">{texts.notTakenOverYet(mistake)}</small>}
    </>
  )
}
