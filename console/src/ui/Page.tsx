// The frame of one page's content: its title (of the document too), what can be done there, the way back.
import { type ReactNode, useEffect } from "react"
import { page as texts } from "../texts/ui/ui.ts"

interface PageProps {
  readonly title: string
  /** Above the title: the way back, made of links. */
  readonly trail?: ReactNode
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  /** The page is as wide as the window: grids. */
  readonly wide?: boolean
  readonly children: ReactNode
}

export const Page = ({ title, trail, lead, actions, wide = false, children }: PageProps) => {
  useEffect(() => {
    document.title = texts.titleMillrace(title)
  }, [title])
  return (
    <div className={wide ? "page wide" : "page"}>
      {trail === undefined ? null : (
        <nav className="trail" aria-label={texts.whereYouAre}>
          {trail}
        </nav>
      )}
      <div className="head">
        <h1>{title}</h1>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </div>
      {lead === undefined ? null : <p className="lead">{lead}</p>}
      {children}
    </div>
  )
}
