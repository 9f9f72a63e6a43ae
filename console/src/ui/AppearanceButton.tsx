// Button for the look of the console in this browser: how close its rows stand, light or dark.
import { useId, useState } from "react"
import { appearanceButton as texts } from "../texts/ui/ui.ts"
import { changeAppearance, densities, themes, useAppearance } from "./appearance.ts"
import { Dialog } from "./Dialog.tsx"
import { icons } from "./icons.tsx"

const words = texts.words

interface ChoicesProps<Name extends string> {
  readonly legend: string
  readonly names: ReadonlyArray<Name>
  readonly value: Name
  readonly onChange: (name: Name) => void
}
const Choices = <Name extends keyof typeof words>({ legend, names, onChange, value }: ChoicesProps<Name>) => {
  const id = useId()
  return (
    <fieldset>
      <legend>{legend}</legend>
      {names.map((name) => (
        <div className="pick" key={name}>
          <input id={`${id}-${name}`} type="radio" name={id} checked={value === name} onChange={() => onChange(name)} />
          <label htmlFor={`${id}-${name}`}>{words[name]}</label>
        </div>
      ))}
    </fieldset>
  )
}

export const AppearanceButton = () => {
  const [isOpen, setOpen] = useState(false)
  const { density, theme } = useAppearance()
  return (
    <>
      <button type="button" className="self-button" onClick={() => setOpen(true)}>
        {icons.appearance}
        <span>{texts.appearance}</span>
      </button>
      {isOpen && (
        <Dialog title={texts.appearance} close={() => setOpen(false)}>
          <Choices
            legend={texts.density}
            names={densities}
            value={density}
            onChange={(chosen) => changeAppearance({ density: chosen })}
          />
          <Choices
            legend={texts.theme}
            names={themes}
            value={theme}
            onChange={(chosen) => changeAppearance({ theme: chosen })}
          />
          <small>{texts.thisBrowserKeepsIt}</small>
        </Dialog>
      )}
    </>
  )
}
