// How the console looks in this browser: how close its rows stand, light or dark.
import { useId, useState } from "react"
import { changeAppearance, densities, themes, useAppearance } from "./appearance.ts"
import { Dialog } from "./Dialog.tsx"
import { icons } from "./icons.tsx"

const words = {
  compact: "Compact",
  regular: "Regular",
  comfortable: "Comfortable",
  system: "Like the system",
  light: "Light",
  dark: "Dark"
} as const

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
        <span>Appearance</span>
      </button>
      {isOpen && (
        <Dialog title="Appearance" close={() => setOpen(false)}>
          <Choices
            legend="Density"
            names={densities}
            value={density}
            onChange={(chosen) => changeAppearance({ density: chosen })}
          />
          <Choices
            legend="Theme"
            names={themes}
            value={theme}
            onChange={(chosen) => changeAppearance({ theme: chosen })}
          />
          <small>This browser keeps it.</small>
        </Dialog>
      )}
    </>
  )
}
