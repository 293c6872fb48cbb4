import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GridComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

/** Only what the product draws with; SVG, because our charts have few marks and must be sharp at any zoom. */
use([
  LineChart,
  BarChart,
  PieChart,
  GridComponent,
  TooltipComponent,
  MarkAreaComponent,
  MarkLineComponent,
  SVGRenderer,
]);

export { init };
