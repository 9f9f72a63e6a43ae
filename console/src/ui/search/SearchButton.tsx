// Opens the search from every page: a button that names its keys, and the keys themselves.
import { useEffect, useState } from "react"
import { searchButton as texts } from "../../texts/ui/search.ts"
import { icons } from "../icons.tsx"
import { SearchDialog } from "./SearchDialog.tsx"

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export const SearchButton = () => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(isMac ? event.metaKey : event.ctrlKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k")
        return
      // Another dialog keeps the keyboard.
      if (document.querySelector("dialog[open]") !== null) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className="quiet search-button"
        aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
        onClick={() => setOpen(true)}
      >
        {icons.search}
        <span>{texts.search}</span>
        <kbd>{isMac ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      {isOpen && <SearchDialog close={() => setOpen(false)} />}
    </>
  )
}
