/** The edits of the editor's tools. */
import type { EditorTexts } from "./editor-texts";
import {
  asCode,
  asHeading,
  asLink,
  asList,
  asQuote,
  type Edit,
  emphasise,
  type Selected,
} from "./markdown-edits";
import type { EditingTool } from "./tool-names";

/** The edit that a tool makes. */
export function editOf(tool: EditingTool, selected: Selected, texts: EditorTexts): Edit {
  switch (tool) {
    case "heading":
      return asHeading(selected);
    case "bold":
      return emphasise(selected, "**");
    case "italic":
      return emphasise(selected, "*");
    case "link":
      return asLink(selected, texts.linkText);
    case "quote":
      return asQuote(selected);
    case "list":
      return asList(selected, { isNumbered: false });
    case "numbered":
      return asList(selected, { isNumbered: true });
    case "code":
      return asCode(selected);
  }
}
