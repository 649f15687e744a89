import DefaultTheme from 'vitepress/theme-without-fonts';
// After the styles of the theme, which they replace in part.
import '../../../ui/src/styles/fonts.css';
import './style.css';

export default DefaultTheme;
