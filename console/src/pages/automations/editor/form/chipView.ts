// Characters that stand for references are drawn as chips with the reference's words; the caret passes them, and deletes them, as one.
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
  WidgetType
} from "@codemirror/view"

class Chip extends WidgetType {
  readonly words: string
  constructor(words: string) {
    super()
    this.words = words
  }
  override eq(other: Chip) {
    return other.words === this.words
  }
  override toDOM() {
    const chip = document.createElement("span")
    chip.className = "chip"
    chip.textContent = this.words
    return chip
  }
}

export const chips = (wordsOf: (character: string) => string) => {
  const matcher = new MatchDecorator({
    regexp: /[\u{F0000}-\u{FFFFD}]/gu,
    decoration: ([character]) => Decoration.replace({ widget: new Chip(wordsOf(character)) })
  })
  return ViewPlugin.fromClass(
    class {
      drawn: DecorationSet
      constructor(view: EditorView) {
        this.drawn = matcher.createDeco(view)
      }
      update(update: ViewUpdate) {
        this.drawn = matcher.updateDeco(update, this.drawn)
      }
    },
    {
      decorations: ({ drawn }) => drawn,
      provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.drawn ?? Decoration.none)
    }
  )
}
