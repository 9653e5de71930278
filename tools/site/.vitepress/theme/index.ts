// The fonts are those of the reader's machine, so a page loads nothing but itself.
import "./style.css";
export { default } from "vitepress/theme-without-fonts";
